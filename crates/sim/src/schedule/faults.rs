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
}

impl Faults {
    /// A perfect world.
    pub const NONE: Self = Self { drop: 0, duplicate: 0, delay: 0, storage: 0, crash: 0, coordinator: 0 };

    /// Everything goes wrong now and then.
    pub const ALL: Self = Self { drop: 25, duplicate: 25, delay: 15, storage: 10, crash: 2, coordinator: 5 };

    /// The faults of these names: `drop`, `duplicate`, `delay`, `storage`, `crash`, `coordinator`.
    ///
    /// # Errors
    /// The first name that is none of them.
    pub fn by_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut faults = Self::NONE;
        for name in names {
            match name {
                "drop" => faults.drop = Self::ALL.drop,
                "duplicate" => faults.duplicate = Self::ALL.duplicate,
                "delay" => faults.delay = Self::ALL.delay,
                "storage" => faults.storage = Self::ALL.storage,
                "crash" => faults.crash = Self::ALL.crash,
                "coordinator" => faults.coordinator = Self::ALL.coordinator,
                other => return Err(other),
            }
        }
        Ok(faults)
    }
}
