use std::fmt;
use std::sync::Arc;

use groma_model::Span;

use super::{Deferred, DelaySource, Eager, Incremental, Limit, Policy, Returner, TwoRound};

/// The policies by the names that settings and command lines use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PolicyName {
    /// `eager`: everything stops in each round.
    Eager,
    /// `two-round` (Design I).
    #[default]
    TwoRound,
    /// `deferred` (Design II).
    Deferred,
    /// `incremental` (Design III).
    Incremental,
    /// `deferred+incremental`: lost resources wait, and what moves for balance moves little by little.
    DeferredIncremental,
}

impl PolicyName {
    /// All of them, in order of the designs.
    pub const ALL: [Self; 5] =
        [Self::Eager, Self::TwoRound, Self::Deferred, Self::Incremental, Self::DeferredIncremental];

    /// The policy of a name, if it is one.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::TwoRound => "two-round",
            Self::Deferred => "deferred",
            Self::Incremental => "incremental",
            Self::DeferredIncremental => "deferred+incremental",
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which kinds of protocol a member announces: a cap on what its group can do, by the names that settings and command
/// lines use (as Connect's `connect.protocol`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProtocolCap {
    /// `eager`: everything stops in each round, whatever the policy.
    Eager,
    /// `compatible`: eager as long as a member can do no more, cooperative from then on; for the one rolling bounce that
    /// moves a group.
    Compatible,
    /// `cooperative`: members that can do no more are refused.
    Cooperative,
}

impl ProtocolCap {
    /// All of them, in order of what they allow.
    pub const ALL: [Self; 3] = [Self::Eager, Self::Compatible, Self::Cooperative];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Compatible => "compatible",
            Self::Cooperative => "cooperative",
        }
    }

    /// Whether eager protocols are announced.
    pub const fn has_eager(self) -> bool {
        matches!(self, Self::Eager | Self::Compatible)
    }

    /// Whether cooperative protocols are announced.
    pub const fn has_cooperative(self) -> bool {
        matches!(self, Self::Compatible | Self::Cooperative)
    }
}

/// A setting that cannot stand beside the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Its name.
    pub key: &'static str,
    /// Its value, as it is written.
    pub value: String,
    /// Why, and what to do.
    pub cause: String,
}

/// A policy with all that can be set about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PolicySettings {
    /// Which policy (`rebalance.policy`, `two-round`).
    pub policy: PolicyName,
    /// What is announced (`rebalance.protocol`); none: `eager` for the policy `eager`, else `cooperative`.
    pub protocol: Option<ProtocolCap>,
    /// See [`Deferred::max_delay`] (`rebalance.max-delay`, 5 min).
    pub max_delay: Span,
    /// See [`Deferred::source`].
    pub source: DelaySource,
    /// See [`Deferred::returner`].
    pub returner: Returner,
    /// See [`Deferred::formation`].
    pub formation: Span,
    /// See [`Limit::moves`] (`rebalance.moves-per-round`); without it and a cost, 1.
    pub moves_per_round: Option<u32>,
    /// See [`Limit::cost`] (`rebalance.cost-per-round`).
    pub cost_per_round: Option<u64>,
    /// See [`Incremental::interval`] (`rebalance.interval`, 1 s).
    pub interval: Span,
    /// See [`Incremental::tolerance`].
    pub tolerance: u32,
}

impl Default for PolicySettings {
    fn default() -> Self {
        let (deferred, incremental) = (Deferred::default(), Incremental::default());
        Self {
            policy: PolicyName::default(),
            protocol: None,
            max_delay: deferred.max_delay,
            source: deferred.source,
            returner: deferred.returner,
            formation: deferred.formation,
            moves_per_round: None,
            cost_per_round: None,
            interval: incremental.interval,
            tolerance: incremental.tolerance,
        }
    }
}

impl PolicySettings {
    /// A policy with the defaults of all its settings.
    pub fn of(policy: PolicyName) -> Self {
        Self { policy, ..Self::default() }
    }

    /// What is announced.
    pub fn announced(&self) -> ProtocolCap {
        let usual = if self.policy == PolicyName::Eager { ProtocolCap::Eager } else { ProtocolCap::Cooperative };
        self.protocol.unwrap_or(usual)
    }

    /// Finds a setting that contradicts the policy, or is for another one and would change nothing.
    ///
    /// # Errors
    /// The first such setting. One that has its default value is not noticed.
    pub fn check(&self) -> Result<(), Misfit> {
        if self.policy == PolicyName::Eager && self.announced().has_cooperative() {
            let (key, value) = ("rebalance.protocol", self.announced().name().to_owned());
            let cause = "under rebalance.policy eager no member keeps anything over a round; choose another policy or leave it out".to_owned();
            return Err(Misfit { key, value, cause });
        }
        let waits = matches!(self.policy, PolicyName::Deferred | PolicyName::DeferredIncremental);
        let paces = matches!(self.policy, PolicyName::Incremental | PolicyName::DeferredIncremental);
        let idle = |used: bool| move |(_, value): &(&str, Option<String>)| !used && value.is_some();
        let found = self.of_waits().into_iter().find(idle(waits)).map(|found| (found, PolicyName::Deferred));
        let found = found.or_else(|| Some((self.of_pace().into_iter().find(idle(paces))?, PolicyName::Incremental)));
        let Some(((key, value), other)) = found else { return Ok(()) };
        let cause = format!(
            "rebalance.policy {} does not use it; choose {other} or deferred+incremental, or leave it out",
            self.policy
        );
        Err(Misfit { key, value: value.unwrap_or_default(), cause })
    }

    /// What concerns waits, where it is not the default.
    fn of_waits(&self) -> [(&'static str, Option<String>); 4] {
        let usual = Self::default();
        let source = (self.source != usual.source).then(|| "configuration".to_owned());
        let returner = (self.returner != usual.returner).then(|| "after-delay".to_owned());
        [
            ("rebalance.max-delay", other(&self.max_delay, &usual.max_delay)),
            ("rebalance.delay-source", source),
            ("rebalance.returner", returner),
            ("rebalance.formation", other(&self.formation, &usual.formation)),
        ]
    }

    /// What concerns moves little by little, where it is not the default.
    fn of_pace(&self) -> [(&'static str, Option<String>); 4] {
        let usual = Self::default();
        [
            ("rebalance.moves-per-round", self.moves_per_round.map(|moves| moves.to_string())),
            ("rebalance.cost-per-round", self.cost_per_round.map(|cost| cost.to_string())),
            ("rebalance.interval", other(&self.interval, &usual.interval)),
            ("rebalance.tolerance", other(&self.tolerance, &usual.tolerance)),
        ]
    }

    /// The policy that is set.
    pub fn build(&self) -> Arc<dyn Policy> {
        match self.policy {
            PolicyName::Eager => Arc::new(Eager),
            PolicyName::TwoRound => Arc::new(TwoRound),
            PolicyName::Deferred => Arc::new(self.deferred(Arc::new(TwoRound))),
            PolicyName::Incremental => Arc::new(self.incremental()),
            PolicyName::DeferredIncremental => Arc::new(self.deferred(Arc::new(self.incremental()))),
        }
    }

    fn deferred(&self, otherwise: Arc<dyn Policy>) -> Deferred {
        let Self { max_delay, source, returner, formation, .. } = *self;
        Deferred { max_delay, source, returner, formation, otherwise }
    }

    /// How much may move for balance at a time.
    pub fn limit(&self) -> Limit {
        match (self.moves_per_round, self.cost_per_round) {
            (None, None) => Incremental::default().limit,
            (moves, cost) => Limit { moves: moves.unwrap_or(u32::MAX), cost: cost.unwrap_or(u64::MAX) },
        }
    }

    fn incremental(&self) -> Incremental {
        let limit = self.limit();
        Incremental { limit, interval: self.interval, tolerance: self.tolerance }
    }
}

/// A value as it is written, if it is not the usual one.
fn other<T: PartialEq + fmt::Display>(value: &T, usual: &T) -> Option<String> {
    (value != usual).then(|| value.to_string())
}

/// Times longer than this are mistakes.
const TIME_MAX: Span = Span::from_secs(86_400);

impl PolicySettings {
    /// The names by which [`Self::set`] knows the settings.
    pub const KEYS: [&'static str; 10] = [
        "rebalance.policy",
        "rebalance.protocol",
        "rebalance.max-delay",
        "rebalance.delay-source",
        "rebalance.returner",
        "rebalance.formation",
        "rebalance.moves-per-round",
        "rebalance.cost-per-round",
        "rebalance.interval",
        "rebalance.tolerance",
    ];

    /// Sets one of them by its name; times are read by `span`.
    ///
    /// # Errors
    /// What the value should be, as part of a sentence; also for a name that is none of [`Self::KEYS`].
    pub fn set(&mut self, key: &str, value: &str, span: impl Fn(&str) -> Result<Span, String>) -> Result<(), String> {
        let time = || match span(value)? {
            time if time > TIME_MAX => Err("must be at most 1d".to_owned()),
            time => Ok(time),
        };
        match key {
            "rebalance.policy" => {
                let known = || format!("use {}", PolicyName::ALL.map(PolicyName::name).join(", "));
                self.policy = PolicyName::by_name(value).ok_or_else(known)?;
            }
            "rebalance.protocol" => {
                let known = || format!("use {}", ProtocolCap::ALL.map(ProtocolCap::name).join(", "));
                let cap = ProtocolCap::ALL.into_iter().find(|cap| cap.name() == value);
                self.protocol = Some(cap.ok_or_else(known)?);
            }
            "rebalance.max-delay" => self.max_delay = time()?,
            "rebalance.delay-source" => {
                self.source = match value {
                    "plan" => DelaySource::Plan,
                    "configuration" => DelaySource::Configuration,
                    _ => return Err("use plan or configuration".to_owned()),
                }
            }
            "rebalance.returner" => {
                self.returner = match value {
                    "at-once" => Returner::AtOnce,
                    "after-delay" => Returner::AfterDelay,
                    _ => return Err("use at-once or after-delay".to_owned()),
                }
            }
            "rebalance.formation" => self.formation = time()?,
            "rebalance.moves-per-round" => self.moves_per_round = Some(whole(value, 1)?),
            "rebalance.cost-per-round" => self.cost_per_round = Some(whole(value, 1)?),
            "rebalance.interval" => self.interval = time()?,
            "rebalance.tolerance" => self.tolerance = whole(value, 0)?,
            _ => return Err(format!("is none of {}", Self::KEYS.join(", "))),
        }
        Ok(())
    }
}

fn whole<T: std::str::FromStr + PartialOrd + From<u8>>(value: &str, least: u8) -> Result<T, String> {
    let number = value.parse().ok().filter(|number| *number >= T::from(least));
    number.ok_or_else(|| format!("give a whole number from {least}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Result<Span, String> {
        text.parse().map(Span::from_secs).map_err(|_| "give seconds".to_owned())
    }

    #[test]
    fn every_setting_is_set_by_its_name() {
        let mut settings = PolicySettings::default();
        let values =
            ["deferred+incremental", "compatible", "5", "configuration", "after-delay", "0", "7", "9", "2", "10"];
        for (key, value) in PolicySettings::KEYS.into_iter().zip(values) {
            settings.set(key, value, seconds).expect(key);
        }
        assert_eq!(
            settings,
            PolicySettings {
                policy: PolicyName::DeferredIncremental,
                protocol: Some(ProtocolCap::Compatible),
                max_delay: Span::from_secs(5),
                source: DelaySource::Configuration,
                returner: Returner::AfterDelay,
                formation: Span::ZERO,
                moves_per_round: Some(7),
                cost_per_round: Some(9),
                interval: Span::from_secs(2),
                tolerance: 10,
            }
        );
        assert_eq!(settings.build().name(), "deferred+incremental");
    }

    #[test]
    fn wrong_values_say_what_is_right() {
        let mut settings = PolicySettings::default();
        for (key, value, says) in [
            ("rebalance.policy", "fair", "use eager, two-round, deferred, incremental, deferred+incremental"),
            ("rebalance.protocol", "sessioned", "use eager, compatible, cooperative"),
            ("rebalance.max-delay", "86401", "must be at most 1d"),
            ("rebalance.max-delay", "soon", "give seconds"),
            ("rebalance.moves-per-round", "0", "give a whole number from 1"),
            ("rebalance.returner", "never", "use at-once or after-delay"),
        ] {
            assert_eq!(settings.set(key, value, seconds), Err(says.to_owned()));
        }
        assert_eq!(settings, PolicySettings::default());
    }

    #[test]
    fn what_another_policy_uses_is_refused() {
        let refused = |pairs: &[(&str, &str)]| {
            let mut settings = PolicySettings::default();
            pairs.iter().for_each(|(key, value)| settings.set(key, value, seconds).expect("a value"));
            settings.check().err().map(|misfit| (misfit.key, misfit.value, misfit.cause))
        };
        let says = |key, value: &str, cause: &str| Some((key, value.to_owned(), cause.to_owned()));
        assert_eq!(
            refused(&[("rebalance.max-delay", "60")]),
            says(
                "rebalance.max-delay",
                &Span::from_secs(60).to_string(),
                "rebalance.policy two-round does not use it; choose deferred or deferred+incremental, or leave it out"
            )
        );
        assert_eq!(
            refused(&[("rebalance.cost-per-round", "9"), ("rebalance.policy", "deferred")]),
            says(
                "rebalance.cost-per-round",
                "9",
                "rebalance.policy deferred does not use it; choose incremental or deferred+incremental, or leave it out"
            )
        );
        assert_eq!(
            refused(&[("rebalance.policy", "eager"), ("rebalance.protocol", "compatible")]),
            says(
                "rebalance.protocol",
                "compatible",
                "under rebalance.policy eager no member keeps anything over a round; choose another policy or leave it out"
            )
        );
        for policy in PolicyName::ALL {
            assert_eq!(refused(&[("rebalance.policy", policy.name()), ("rebalance.protocol", "eager")]), None);
        }
        assert_eq!(refused(&[("rebalance.policy", "deferred+incremental"), ("rebalance.tolerance", "5")]), None);
    }

    #[test]
    fn a_policy_is_built_as_it_is_called() {
        for policy in PolicyName::ALL {
            assert_eq!(PolicySettings::of(policy).build().name(), policy.name());
        }
    }
}
