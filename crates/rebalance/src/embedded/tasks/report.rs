use std::collections::{BTreeMap, BTreeSet};

use bytes::{BufMut, Bytes};
use groma_model::{Generation, Span};

use super::{Job, Role};
use crate::embedded::EmbeddedError;
use crate::embedded::consumer::bytes::{Cursor, put_nullable_bytes, put_string};
use crate::embedded::consumer::note::decode_note;

const REPORT: &str = "a report";
const ASSIGNMENT: &str = "an assignment";

/// A member's report.
///
/// Big-endian: version int16, capacity int32, generation int32 (-1 for none), what it does as an array of task and
/// role int8, up to where its states go as an array of task and position int64; from version 1 on an array of tasks
/// that it has given up. Later versions only append.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How much it can do beside the others.
    pub capacity: u32,
    /// The generation in which what it does was confirmed.
    pub generation: Option<Generation>,
    /// What it does.
    pub jobs: BTreeSet<Job>,
    /// For each task of which it has state, up to where that goes.
    pub positions: BTreeMap<String, u64>,
    /// What it ran and has given up since it took its last plan; none from an earlier version.
    pub released: Option<BTreeSet<String>>,
}

/// All that a member is to do: version int16, an array of task and role int8, the leader's note as nullable bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// What it is to do.
    pub jobs: BTreeSet<Job>,
    /// The leader's note.
    pub note: Option<Bytes>,
}

impl Report {
    /// The newest layout known here.
    pub const VERSION: i16 = 1;

    /// Writes the newest layout, or the one before if that says all there is; equal reports give equal bytes.
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(self.released.as_ref().map_or(0, |_| Self::VERSION));
        out.put_i32(self.capacity.min(i32::MAX as u32) as i32);
        out.put_i32(self.generation.map_or(-1, |g| g.0));
        put_jobs(&mut out, &self.jobs);
        out.put_i32(self.positions.len() as i32);
        for (task, position) in &self.positions {
            put_string(&mut out, task);
            out.put_u64(*position);
        }
        if let Some(released) = &self.released {
            out.put_i32(released.len() as i32);
            released.iter().for_each(|task| put_string(&mut out, task));
        }
        out.into()
    }

    /// Reads any version; what a newer one appends is ignored.
    ///
    /// # Errors
    /// The bytes are no report.
    pub fn decode(payload: &[u8]) -> Result<Self, EmbeddedError> {
        let mut cursor = Cursor::new(REPORT, payload);
        let version = cursor.version()?;
        let capacity = u32::try_from(cursor.i32()?).map_err(|_| EmbeddedError::Length { what: REPORT })?;
        let generation = Some(cursor.i32()?).filter(|g| *g >= 0).map(Generation);
        let jobs = jobs(&mut cursor, REPORT)?;
        let mut positions = BTreeMap::new();
        for _ in 0..cursor.i32()? {
            let task = text(&mut cursor, REPORT)?;
            let position = cursor.take(8)?.try_into().map_or(0, u64::from_be_bytes);
            positions.insert(task, position);
        }
        let released = if version > 0 { Some(names(&mut cursor)?) } else { None };
        Ok(Self { capacity, generation, jobs, positions, released })
    }
}

impl Assignment {
    /// The newest layout known here.
    pub const VERSION: i16 = 0;

    /// Writes the newest layout.
    pub fn encode(&self) -> Bytes {
        let mut out = Vec::with_capacity(64);
        out.put_i16(Self::VERSION);
        put_jobs(&mut out, &self.jobs);
        put_nullable_bytes(&mut out, self.note.as_ref());
        out.into()
    }

    /// Reads any version. No bytes at all are no assignment: what a coordinator gives to a member that the leader left
    /// out.
    ///
    /// # Errors
    /// The bytes are no assignment.
    pub fn decode(payload: &Bytes) -> Result<Self, EmbeddedError> {
        if payload.is_empty() {
            return Ok(Self::default());
        }
        let mut cursor = Cursor::new(ASSIGNMENT, payload);
        cursor.version()?;
        let jobs = jobs(&mut cursor, ASSIGNMENT)?;
        Ok(Self { jobs, note: cursor.nullable_bytes()?.map(|note| payload.slice_ref(note)) })
    }
}

/// The names of the tasks that a member is to run, whatever its group's protocol type; none where its assignment is not
/// one of a leader of our make, which leaves a note in each. For observers, who do not know the application.
pub fn running(assignment: &Bytes) -> Option<Vec<String>> {
    let given = Assignment::decode(assignment).ok()?;
    decode_note(given.note.as_ref()?, Span::ZERO)?;
    let runs = given.jobs.into_iter().filter(|job| job.role == Role::Active);
    Some(runs.map(|job| job.task).collect())
}

fn put_jobs(out: &mut Vec<u8>, jobs: &BTreeSet<Job>) {
    out.put_i32(jobs.len() as i32);
    for job in jobs {
        put_string(out, &job.task);
        out.put_u8(match job.role {
            Role::Active => 0,
            Role::Standby => 1,
            Role::WarmUp => 2,
        });
    }
}

fn jobs(cursor: &mut Cursor<'_>, what: &'static str) -> Result<BTreeSet<Job>, EmbeddedError> {
    let mut jobs = BTreeSet::new();
    for _ in 0..cursor.i32()? {
        let task = text(cursor, what)?;
        let role = match cursor.take(1)? {
            [0] => Role::Active,
            [1] => Role::Standby,
            [2] => Role::WarmUp,
            _ => return Err(EmbeddedError::Length { what }),
        };
        jobs.insert(Job { task, role });
    }
    Ok(jobs)
}

fn names(cursor: &mut Cursor<'_>) -> Result<BTreeSet<String>, EmbeddedError> {
    (0..cursor.i32()?).map(|_| text(cursor, REPORT)).collect()
}

fn text(cursor: &mut Cursor<'_>, what: &'static str) -> Result<String, EmbeddedError> {
    let text = std::str::from_utf8(cursor.name()?).map_err(|_| EmbeddedError::Utf8 { what })?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::consumer::note::encode_note;
    use crate::embedded::consumer::pack::WaitTime;
    use crate::embedded::{Note, Rounds};

    #[test]
    fn observers_read_what_runs_where_the_leader_is_of_our_make() {
        let job = |task: &str, role| Job { task: task.to_owned(), role };
        let jobs = BTreeSet::from([job("a", Role::Active), job("b", Role::Standby), job("c", Role::Active)]);
        let note =
            Note { rounds: Rounds::Done, catalog: 1, members: None, waits: Vec::new(), pace: None, formation: None };
        let note = Some(encode_note(&note, None, WaitTime::Told));
        let told = Assignment { jobs: jobs.clone(), note }.encode();
        assert_eq!(running(&told), Some(vec!["a".to_owned(), "c".to_owned()]));
        assert_eq!(running(&Assignment { jobs, note: None }.encode()), None);
        for end in 0..told.len() - 1 {
            assert_ne!(running(&told.slice(..end)), Some(Vec::new()), "{end}");
        }
        assert_eq!(running(&Bytes::new()), None);
    }
}
