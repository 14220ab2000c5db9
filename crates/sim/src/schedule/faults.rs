/// How often things go wrong; each number means "once in so many", 0 means never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Faults {
    /// A connection breaks under a request, or under its answer.
    pub drop: u64,
    /// A request arrives twice.
    pub duplicate: u64,
    /// A message takes much longer than usual.
    pub delay: u64,
    /// A record cannot be stored.
    pub storage: u64,
    /// A process is killed, or frozen, instead of changing in good order.
    pub crash: u64,
    /// The coordinator is killed.
    pub coordinator: u64,
    /// The group moves to another coordinator, without a pause.
    pub transfer: u64,
    /// The clock of a process runs fast or slow by up to 500 ppm, or jumps ahead.
    pub clock: u64,
    /// A schedule has processes that share out by another policy, or report as an older make does.
    pub peer: u64,
    /// An application takes longer to stop than a round waits for it.
    pub stuck: u64,
    /// A second process starts with the stable identity of one that is up.
    pub twin: u64,
    /// A schedule allows fewer members than want to be in the group.
    pub crowd: u64,
    /// A schedule has processes that give away what others hold when they lead (B89). Before the accounts they leave.
    pub rogue: u64,
    /// An answer arrives twice.
    pub echo: u64,
    /// A broker that is behind answers what topics exist, as it was before the last change; the truth comes later.
    pub stale: u64,
    /// An application says at once that it has stopped, and runs on for a time. No protocol can notice (B89).
    pub cling: u64,
    /// A process that starts again comes back with the identity that its former life was given.
    pub reuse: u64,
    /// A process has a link that is slow for all its life.
    pub slow: u64,
}

impl Faults {
    /// A perfect world.
    pub const NONE: Self = Self {
        drop: 0,
        duplicate: 0,
        delay: 0,
        storage: 0,
        crash: 0,
        coordinator: 0,
        transfer: 0,
        clock: 0,
        peer: 0,
        stuck: 0,
        twin: 0,
        crowd: 0,
        rogue: 0,
        echo: 0,
        stale: 0,
        cling: 0,
        reuse: 0,
        slow: 0,
    };

    /// Everything goes wrong now and then.
    pub const ALL: Self = Self {
        drop: 25,
        duplicate: 25,
        delay: 15,
        storage: 10,
        crash: 2,
        coordinator: 5,
        transfer: 8,
        clock: 3,
        peer: 4,
        stuck: 30,
        twin: 12,
        crowd: 8,
        rogue: 12,
        echo: 30,
        stale: 6,
        cling: 40,
        reuse: 3,
        slow: 25,
    };

    /// The faults of these names, see [`Self::names`].
    ///
    /// # Errors
    /// The first name that is none of them.
    pub fn by_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let (mut faults, mut all) = (Self::NONE, Self::ALL);
        for name in names {
            match (faults.rate(name), all.rate(name)) {
                (Some(rate), Some(usual)) => *rate = *usual,
                _ => return Err(name),
            }
        }
        Ok(faults)
    }

    /// All faults but one kind, for each kind that there is.
    pub(super) fn each_without(self) -> Vec<Self> {
        let mut fewer = Vec::new();
        for name in NAMES {
            let mut faults = self;
            if let Some(rate) = faults.rate(name).filter(|rate| **rate > 0) {
                *rate = 0;
                fewer.push(faults);
            }
        }
        fewer
    }

    /// What is in both.
    pub(super) fn both(mut self, mut other: Self) -> Self {
        for name in NAMES {
            if let (Some(own), Some(0)) = (self.rate(name), other.rate(name).copied()) {
                *own = 0;
            }
        }
        self
    }

    /// The kinds that there are, by name.
    pub fn names(mut self) -> Vec<&'static str> {
        NAMES.into_iter().filter(|name| self.rate(name).is_some_and(|rate| *rate > 0)).collect()
    }

    fn rate(&mut self, name: &str) -> Option<&mut u64> {
        match name {
            "drop" => Some(&mut self.drop),
            "duplicate" => Some(&mut self.duplicate),
            "delay" => Some(&mut self.delay),
            "storage" => Some(&mut self.storage),
            "crash" => Some(&mut self.crash),
            "coordinator" => Some(&mut self.coordinator),
            "transfer" => Some(&mut self.transfer),
            "clock" => Some(&mut self.clock),
            "peer" => Some(&mut self.peer),
            "stuck" => Some(&mut self.stuck),
            "twin" => Some(&mut self.twin),
            "crowd" => Some(&mut self.crowd),
            "rogue" => Some(&mut self.rogue),
            "echo" => Some(&mut self.echo),
            "stale" => Some(&mut self.stale),
            "cling" => Some(&mut self.cling),
            "reuse" => Some(&mut self.reuse),
            "slow" => Some(&mut self.slow),
            _ => None,
        }
    }
}

/// The kinds of faults, as the command line names them.
const NAMES: [&str; 18] = [
    "drop",
    "duplicate",
    "delay",
    "storage",
    "crash",
    "coordinator",
    "transfer",
    "clock",
    "peer",
    "stuck",
    "twin",
    "crowd",
    "rogue",
    "echo",
    "stale",
    "cling",
    "reuse",
    "slow",
];
