use groma_model::Span;

use super::ScaleBill;
use super::crowd::{Crowd, Names};
use crate::schedule::Policy;

/// A change of a large group that has settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScaleEvent {
    /// One more process comes.
    Join,
    /// One process leaves for good.
    Leave,
    /// All processes are replaced in turn, a hundredth of them at a time, each back after 5 s; members have stable
    /// identities.
    StaticBounce,
    /// The same where each process leaves and comes back as another member.
    Bounce,
}

impl ScaleEvent {
    /// All of them, by the names of the command line.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("join", Self::Join),
        ("leave", Self::Leave),
        ("static-bounce", Self::StaticBounce),
        ("bounce", Self::Bounce),
    ];

    /// Lets it happen to so many members that share so many resources under one policy.
    pub fn play(self, policy: Policy, members: u32, resources: u32) -> ScaleBill {
        self.play_told(policy, (members, resources), &mut |_| ())
    }

    /// The same; `tell` hears the share that has been bounced, from 0 to 1, again and again.
    pub fn play_told(self, policy: Policy, sizes: (u32, u32), tell: &mut dyn FnMut(f64)) -> ScaleBill {
        let (members, resources) = sizes;
        let names = if self == Self::StaticBounce { Names::Stable } else { Names::Fresh };
        let mut crowd = Crowd::new(policy, names, resources);
        (0..members).for_each(|_| crowd.come());
        crowd.settle();
        crowd.begin();
        let least = self.change(&mut crowd, members, tell);
        crowd.settle();
        ScaleBill { least, ..crowd.bill() }
    }

    /// Yields the fewest moves that lead to even shares.
    fn change(self, crowd: &mut Crowd, members: u32, tell: &mut dyn FnMut(f64)) -> u64 {
        let place = members / 2;
        match self {
            Self::Join => {
                crowd.come();
                u64::from(crowd.resources() / (members + 1))
            }
            Self::Leave => {
                let held = crowd.held(place);
                crowd.leave(place);
                held
            }
            Self::StaticBounce | Self::Bounce => {
                let wave = members.div_ceil(WAVES).max(1);
                for first in (0..members).step_by(wave as usize) {
                    (first..members.min(first + wave)).for_each(|place| self.bounce(crowd, place));
                    crowd.run_for(BETWEEN);
                    tell(f64::from(members.min(first + wave)) / f64::from(members));
                }
                0
            }
        }
    }

    fn bounce(self, crowd: &mut Crowd, place: u32) {
        match self {
            Self::StaticBounce => crowd.kill(place),
            Self::Join | Self::Leave | Self::Bounce => crowd.leave(place),
        }
        crowd.come_back(place, AWAY);
    }
}

/// Into how many parts a rolling bounce falls.
const WAVES: u32 = 100;
/// How long a process is away.
const AWAY: Span = Span::from_secs(5);
/// From one part of a rolling bounce to the next.
const BETWEEN: Span = Span::from_secs(10);
