use std::io::Read;
use std::process::exit;

/// To be called early in `main`: in a child of a benchmark, ends the process when the parent's pipe on stdin ends, so
/// that a parent that was killed leaves nothing running. Elsewhere it does nothing.
pub fn follow_parent() {
    if std::env::var_os(FOLLOW).is_some() {
        std::thread::spawn(|| {
            let mut byte = [0_u8; 64];
            while std::io::stdin().read(&mut byte).is_ok_and(|read| read > 0) {}
            exit(0)
        });
    }
}

/// Set for children whose stdin is nothing but the parent's sign of life.
pub(super) const FOLLOW: &str = "GROMA_FOLLOW_PARENT";
