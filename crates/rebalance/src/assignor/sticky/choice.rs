use super::{unequal, uniform};
use crate::assignor::Assignor;
use crate::share::{NOBODY, Owners, Situation};

/// The sticky assignor, under the name it is announced by: `sticky`, `cooperative-sticky` or `uniform`.
///
/// Where members say in which racks they run and racks can make a difference, what must be dealt out goes to members
/// near a copy first (KIP-881); if members ask for different things, as far as loads stay what they are without racks.
/// What is held stays where it is even so; Kafka's gives up what is held far away.
#[derive(Clone, Copy, Debug)]
pub struct Sticky {
    name: &'static str,
}

impl Sticky {
    /// Announced as `sticky`.
    pub const EAGER: Self = Self { name: "sticky" };
    /// Announced as `uniform`: what Kafka's group coordinator calls so (KIP-848) has the same target.
    pub const UNIFORM: Self = Self { name: "uniform" };
    /// Announced as `cooperative-sticky`.
    pub const COOPERATIVE: Self = Self { name: "cooperative-sticky" };
}

impl Assignor for Sticky {
    fn name(&self) -> &str {
        self.name
    }

    fn assign(&self, situation: &Situation) -> Owners {
        match situation.members() {
            0 => vec![NOBODY; situation.resources()],
            _ if situation.is_uniform() => uniform::assign(situation),
            _ => unequal::assign(situation),
        }
    }
}
