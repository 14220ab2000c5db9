use bytes::{BufMut, Bytes};
use groma_model::{Span, TopicPartition};

use super::pack::{MARK, Unpack, WaitTime, put_count, put_span, put_waits};
use crate::embedded::{Note, Rounds};

const DUE: u8 = 1;
const NOT_AT_ONCE: u8 = 2;

/// A leader's note, and when to join again, as user data of an assignment; members of other makes ignore it.
pub(in crate::embedded) fn encode_note(note: &Note<TopicPartition>, alarm: Option<Span>, time: WaitTime) -> Bytes {
    let mut out = Vec::with_capacity(32);
    out.put_u32(MARK);
    out.put_u8(match note.rounds {
        Rounds::Done => 0,
        Rounds::Due => DUE,
        Rounds::Later => DUE | NOT_AT_ONCE,
    });
    out.put_u64(note.catalog);
    put_span(&mut out, alarm);
    put_span(&mut out, note.pace);
    put_span(&mut out, note.formation);
    put_waits(&mut out, &note.waits, time);
    put_count(&mut out, note.members);
    out.into()
}

/// Reads a note; none from a leader that leaves none. What later versions append is ignored, what an earlier one did
/// not know is taken for absent.
pub(in crate::embedded) fn decode_note(
    user_data: &[u8],
    configured: Span,
) -> Option<(Note<TopicPartition>, Option<Span>)> {
    let mut unpack = Unpack::behind_mark(user_data)?;
    let rounds = match unpack.u8()? & (DUE | NOT_AT_ONCE) {
        0 | NOT_AT_ONCE => Rounds::Done,
        DUE => Rounds::Due,
        _ => Rounds::Later,
    };
    let catalog = unpack.u64()?;
    let alarm = unpack.span().flatten();
    let pace = unpack.span().flatten();
    let formation = unpack.span().flatten();
    let waits = unpack.waits();
    let members = waits.as_ref().and_then(|_| u32::try_from(unpack.i32()?).ok());
    let waits = waits.unwrap_or_default().iter().map(|w| w.unpack(configured)).collect();
    Some((Note { rounds, catalog, members, waits, pace, formation }, alarm))
}

#[cfg(test)]
mod tests {
    use groma_model::{Generation, InstanceId, MemberId};

    use super::*;
    use crate::embedded::{Owner, Waiting};

    const CONFIGURED: Span = Span::from_secs(60);

    fn note() -> Note<TopicPartition> {
        let of = |topic: &str, numbers: &[i32]| numbers.iter().map(|n| TopicPartition::new(topic, *n)).collect();
        let wait =
            |owner, resources| Waiting { owner, opened: Generation(7), left: Span::from_millis(1500), resources };
        let waits = vec![
            wait(Owner::Member(MemberId::from("d-1")), of("T", &[1, 2])),
            wait(Owner::Instance(InstanceId::from("s")), of("U", &[0])),
            wait(Owner::Unknown(0), Vec::new()),
            wait(Owner::Unknown(2), of("U", &[1])),
        ];
        Note { rounds: Rounds::Later, catalog: 9, members: Some(3), waits, pace: Some(Span::ZERO), formation: None }
    }

    #[test]
    fn a_note_is_read_as_it_was_written_and_what_is_appended_is_ignored() {
        let alarm = Some(Span::from_millis(1500));
        let mut bytes = encode_note(&note(), alarm, WaitTime::Told).to_vec();
        assert_eq!(decode_note(&bytes, CONFIGURED), Some((note(), alarm)));
        bytes.extend([1, 2, 3]);
        assert_eq!(decode_note(&bytes, CONFIGURED), Some((note(), alarm)));
    }

    #[test]
    fn a_note_of_an_earlier_version_says_less() {
        let bytes = encode_note(&note(), None, WaitTime::Told);
        let (read, alarm) = decode_note(&bytes[..13], CONFIGURED).expect("the first version");
        assert_eq!((read.rounds, read.catalog, read.waits.len(), alarm), (Rounds::Later, 9, 0, None));
    }

    #[test]
    fn a_note_cut_anywhere_is_read_as_far_as_it_goes_or_not_at_all() {
        let bytes = encode_note(&note(), None, WaitTime::Told);
        for end in 0..bytes.len() {
            assert_eq!(decode_note(&bytes[..end], CONFIGURED).is_some(), end >= 13, "{end}");
        }
    }

    #[test]
    fn where_no_time_is_told_the_member_takes_its_own() {
        let bytes = encode_note(&note(), None, WaitTime::Configured);
        let (read, _) = decode_note(&bytes, CONFIGURED).expect("a note");
        assert!(read.waits.iter().all(|w| w.left == CONFIGURED));
    }

    #[test]
    fn a_foreign_leaders_user_data_is_no_note() {
        assert_eq!(decode_note(b"", CONFIGURED), None);
        assert_eq!(decode_note(&7_i32.to_be_bytes(), CONFIGURED), None);
    }
}
