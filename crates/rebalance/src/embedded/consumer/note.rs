use bytes::{Buf, BufMut, Bytes};

use crate::embedded::{Note, Rounds};

/// Four letters by which our leaders' user data is told from other leaders'.
const MARK: u32 = u32::from_be_bytes(*b"Grm1");

/// A leader's note as user data of an assignment; other members ignore it.
pub(super) fn encode_note(note: Note) -> Bytes {
    let mut out = Vec::with_capacity(13);
    out.put_u32(MARK);
    out.put_u8(u8::from(note.rounds == Rounds::Due));
    out.put_u64(note.catalog);
    out.into()
}

/// Reads a note; none from a leader that leaves none. What later versions append is ignored.
pub(super) fn decode_note(user_data: Option<&Bytes>) -> Option<Note> {
    let mut rest = user_data?.clone();
    if rest.try_get_u32().ok()? != MARK {
        return None;
    }
    let rounds = if rest.try_get_u8().ok()? & 1 == 1 { Rounds::Due } else { Rounds::Done };
    Some(Note { rounds, catalog: rest.try_get_u64().ok()? })
}
