use std::path::PathBuf;

use rustix::fs::{Access, access};

/// Whether `program`, a path or a name on the search path, is a file that may be executed.
pub fn is_program(program: &str) -> bool {
    let is_path = program.contains('/');
    let file = if is_path { Some(PathBuf::from(program)) } else { find_program(program) };
    file.is_some_and(|file| file.is_file() && access(&file, Access::EXEC_OK).is_ok())
}

/// Where `name` is on the search path.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
