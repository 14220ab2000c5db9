use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

/// A moment of a flush, at which a test lets the process die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultPoint {
    /// The tasks have written into the outbox, nothing was sent.
    BeforeEntries,
    /// Some of the results and entries are acknowledged, the others on their way.
    EntriesPartlyAcked,
    /// They are all acknowledged; no marker was written.
    EntriesAcked,
    /// Some of the markers are acknowledged, the others on their way.
    MarkersPartlyAcked,
    /// The markers are acknowledged; nothing was committed.
    MarkersAcked,
    /// The positions are committed.
    Committed,
    /// A task's fence is acknowledged, nothing restored.
    Fenced,
    /// A task's state was restored, nothing fetched.
    Restored,
}

/// Dies at the given passage through a point, counted from 1.
#[derive(Debug)]
pub struct Fault {
    point: FaultPoint,
    left: AtomicU32,
}

impl FaultPoint {
    /// All of them, in the order in which an instance passes them.
    pub const ALL: [Self; 8] = [
        Self::Fenced,
        Self::Restored,
        Self::BeforeEntries,
        Self::EntriesPartlyAcked,
        Self::EntriesAcked,
        Self::MarkersPartlyAcked,
        Self::MarkersAcked,
        Self::Committed,
    ];

    /// The name in the setting `fault`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BeforeEntries => "before-entries",
            Self::EntriesPartlyAcked => "entries-partly-acked",
            Self::EntriesAcked => "entries-acked",
            Self::MarkersPartlyAcked => "markers-partly-acked",
            Self::MarkersAcked => "markers-acked",
            Self::Committed => "committed",
            Self::Fenced => "fenced",
            Self::Restored => "restored",
        }
    }
}

impl Fault {
    /// Passes `point`; does not return when it is time to die.
    pub(crate) fn pass(fault: Option<&Self>, point: FaultPoint) {
        let Some(fault) = fault.filter(|fault| fault.point == point) else { return };
        if fault.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            eprintln!("fault: dying at {}", point.name());
            std::process::abort();
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    /// Reads `POINT` or `POINT:N`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = text.split_once(':').unwrap_or((text, "1"));
        let names = || FaultPoint::ALL.map(FaultPoint::name).join(", ");
        let point = FaultPoint::ALL.into_iter().find(|point| point.name() == name);
        let point = point.ok_or_else(|| format!("unknown point; points are {}", names()))?;
        let left = number.parse().ok().filter(|n| *n > 0).ok_or("the number of the passage is 1 or more")?;
        Ok(Self { point, left: AtomicU32::new(left) })
    }
}
