use super::{unequal, uniform};
use crate::assignor::Assignor;
use crate::share::{NOBODY, Owners, Situation};

/// The sticky assignor, under the name it is announced by: `sticky` or `cooperative-sticky`.
#[derive(Clone, Copy, Debug)]
pub struct Sticky {
    name: &'static str,
}

impl Sticky {
    /// Announced as `sticky`.
    pub const EAGER: Self = Self { name: "sticky" };
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
