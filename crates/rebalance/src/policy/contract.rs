use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use groma_model::Span;

use super::Abilities;
use crate::embedded::Mode;
use crate::share::{Owners, Plan, Situation};

/// Turns held resources and a target into the plan of one round.
///
/// A plan must never own to one member what another holds, or may hold, and must book another round for whatever it
/// withholds: by withholding (its holder joins again once it has released) or by an alarm. Every plan is checked. A
/// leader whose policy breaks these rules shares out nothing: it says what is wrong
/// ([`EmbeddedError::BadPlan`](crate::embedded::EmbeddedError::BadPlan)), and leaves so that another can lead. So does one
/// whose policy panics.
///
/// A policy must return soon: it runs on the thread that drives the member, as [an assignor
/// does](crate::assignor::Assignor).
///
/// Plans must come to an end. As long as members, what exists, what is asked for and what it costs stay the same, a
/// policy has 16 rounds and three for each resource; if it asks for another one even then, the leader lets what is held
/// rest, grants what is free, and names the policy
/// ([`Offence::Endless`](crate::embedded::Offence::Endless)). It goes on when something changes.
pub trait Policy: Debug + Send + Sync {
    /// The name by which the policy is chosen and explained.
    fn name(&self) -> &str {
        "custom"
    }

    /// Whether members keep what they hold over a join under this policy.
    fn mode(&self) -> Mode;

    /// What members must understand beyond Kafka's own protocol for this policy to work.
    fn needs(&self) -> Abilities {
        Abilities::NONE
    }

    /// What to do in a group whose members have only these abilities in common; none if the policy can do no less
    /// than it needs.
    fn within(&self, _common: Abilities) -> Option<Arc<dyn Policy>> {
        None
    }

    /// Whether its plans are checked. Simulations break rules on purpose, to show that what happens is noticed by others.
    #[doc(hidden)]
    fn is_checked(&self) -> bool {
        true
    }

    /// How long members wait by their own configuration where the plan does not say; none if it says.
    fn constant_delay(&self) -> Option<Span> {
        None
    }

    /// The situation as an assignor is to see it, such as with resources at home with an owner that has come back.
    fn outlook<'a>(&self, situation: &'a Situation) -> Cow<'a, Situation> {
        Cow::Borrowed(situation)
    }

    /// The plan of this round. `target` has an entry for each resource.
    fn plan(&self, situation: &Situation, target: Owners) -> Plan;
}
