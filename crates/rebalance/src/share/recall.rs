use groma_model::{Generation, Span};

use super::{Continuity, Former, Loss, NOBODY, Past, Situation, Standing};

/// What leader and members remember of earlier rounds, by numbers: the raw material of a [`Past`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// For each member what its report tells of its own past.
    pub standing: Vec<Standing>,
    /// Waits that members were told of, each once.
    pub echoes: Vec<Echo>,
    /// What members say they have released since the last plan, sorted.
    pub released: Vec<u32>,
    /// What is known of each former owner that is not in this round.
    pub departed: Vec<Former>,
    /// For each departed owner the member that by its name may be its next life.
    pub heirs: Vec<Option<u32>>,
    /// How many of those who had the last plan are gone, for a leader that did not make it; none if nobody can tell.
    pub strangers: Option<u32>,
    /// Whether something may have come into existence since the last plan.
    pub growth: Growth,
    /// See [`Past::pace`].
    pub pace: Option<Span>,
    /// See [`Past::formation`].
    pub formation: Option<Span>,
    /// See [`Past::gathered`].
    pub gathered: Span,
    /// See [`Past::continuity`].
    pub continuity: Continuity,
    /// See [`Past::unheeded`].
    pub unheeded: Vec<u32>,
}

/// What the last plan did with a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Remembered {
    /// It did not know it.
    New,
    /// It gave it to nobody.
    Free,
    /// It gave it to somebody.
    Of(Whereabouts),
}

/// Where an owner of the last plan is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Whereabouts {
    /// It is this member, maybe in its next life.
    Here(u32),
    /// It is gone; its number among the departed.
    Gone(u32),
}

/// A wait that members were told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Echo {
    /// Whose resources wait.
    pub owner: Whereabouts,
    /// The generation in which the wait began.
    pub opened: Generation,
    /// How much is left of it.
    pub left: Span,
    /// The resources, sorted.
    pub resources: Vec<u32>,
}

/// Whether something may have come into existence since the last plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Growth {
    /// What exists is what existed.
    None,
    /// What exists has changed, or nobody can tell.
    #[default]
    Possible,
}

/// Tells what the last plan did with a resource.
pub type Memory<'a> = &'a dyn Fn(u32) -> Remembered;

impl Recall {
    /// Finds out why each resource that nobody claims is unclaimed. Time is linear in resources; nothing is looked up
    /// for claimed ones. Without memory the leader did not make the last plan.
    pub fn past(self, situation: &Situation, memory: Option<Memory<'_>>) -> Past {
        let mut sorting = Sorting::new(&self, situation, memory);
        if self.standing.iter().any(|s| *s != Standing::New) {
            for (resource, holder) in situation.holder().iter().enumerate() {
                if *holder == NOBODY && !situation.is_contested(resource as u32) {
                    sorting.place(resource as u32);
                }
            }
        }
        let (homes, losses) = sorting.finish();
        Past {
            standing: self.standing,
            homes,
            losses,
            pace: self.pace,
            formation: self.formation,
            gathered: self.gathered,
            continuity: self.continuity,
            unheeded: self.unheeded,
        }
    }
}

/// Unclaimed resources, put where they belong.
struct Sorting<'a> {
    recall: &'a Recall,
    situation: &'a Situation,
    memory: Option<Memory<'a>>,
    /// Resources of echoes with the place of the echo, sorted.
    waiting: Vec<(u32, usize)>,
    /// For each kind the number behind the last resource that anybody claims.
    claimed_to: Option<Vec<u32>>,
    homes: Vec<(u32, u32)>,
    echoed: Vec<Vec<u32>>,
    found: Vec<Vec<u32>>,
    unknown: Vec<u32>,
}

impl<'a> Sorting<'a> {
    fn new(recall: &'a Recall, situation: &'a Situation, memory: Option<Memory<'a>>) -> Self {
        let of_echo = |(place, echo): (usize, &'a Echo)| echo.resources.iter().map(move |r| (*r, place));
        let mut waiting: Vec<(u32, usize)> = recall.echoes.iter().enumerate().flat_map(of_echo).collect();
        waiting.sort_unstable();
        Self {
            recall,
            situation,
            memory,
            waiting,
            claimed_to: None,
            homes: Vec::new(),
            echoed: vec![Vec::new(); recall.echoes.len()],
            found: vec![Vec::new(); recall.departed.len()],
            unknown: Vec::new(),
        }
    }

    fn place(&mut self, resource: u32) {
        let at = self.waiting.partition_point(|(r, _)| *r < resource);
        if let Some((_, echo)) = self.waiting.get(at).filter(|(r, _)| *r == resource) {
            return match self.recall.echoes[*echo].owner {
                Whereabouts::Here(member) => self.homes.push((resource, member)),
                Whereabouts::Gone(_) => self.echoed[*echo].push(resource),
            };
        }
        if self.recall.released.binary_search(&resource).is_ok() {
            return;
        }
        match self.memory.map(|memory| memory(resource)) {
            Some(Remembered::New | Remembered::Free) => {}
            Some(Remembered::Of(Whereabouts::Here(member))) => self.homes.push((resource, member)),
            Some(Remembered::Of(Whereabouts::Gone(owner))) => match self.found.get_mut(owner as usize) {
                Some(found) => found.push(resource),
                None => self.unknown.push(resource),
            },
            None => self.guess(resource),
        }
    }

    /// Nobody remembers. It may have been granted in a plan that its new owner has missed; or it is new, if what exists
    /// has changed and it lies behind all that anybody claims of its kind; else its owner is gone.
    fn guess(&mut self, resource: u32) {
        let may_be_new = self.recall.growth == Growth::Possible && resource >= self.claimed_end(resource);
        if self.recall.continuity == Continuity::Whole && !may_be_new {
            self.unknown.push(resource);
        }
    }

    fn claimed_end(&mut self, resource: u32) -> u32 {
        let ends = self.claimed_to.get_or_insert_with(|| {
            let holder = self.situation.holder();
            let end = |kind: &super::Kind| {
                let last = kind.range().rev().find(|r| holder[*r as usize] != NOBODY);
                last.map_or(kind.first, |r| r + 1)
            };
            self.situation.kinds().iter().map(end).collect()
        });
        ends.get(self.situation.kind_of(resource) as usize).copied().unwrap_or_default()
    }

    fn finish(self) -> (Vec<(u32, u32)>, Vec<Loss>) {
        let heir = |owner: u32| self.recall.heirs.get(owner as usize).copied().flatten();
        let former = |owner: u32| self.recall.departed.get(owner as usize).copied().unwrap_or(Former::Unknown);
        let mut losses = Vec::new();
        for (echo, resources) in self.recall.echoes.iter().zip(self.echoed) {
            if let Whereabouts::Gone(owner) = echo.owner {
                let (left, opened) = (Some(echo.left), Some(echo.opened));
                losses.push(Loss { former: former(owner), owner, opened, heir: heir(owner), left, resources });
            }
        }
        for (resources, owner) in self.found.into_iter().zip(0..) {
            losses.push(Loss { former: former(owner), owner, opened: None, heir: heir(owner), left: None, resources });
        }
        losses.extend(of_strangers(self.unknown, self.recall));
        losses.retain(|l| !l.resources.is_empty());
        (self.homes, losses)
    }
}

/// What nobody remembers the owner of. Where it is known how many owners there were, each is taken to have had an even
/// share, so that one that comes back is given that much and the rest goes on waiting.
fn of_strangers(resources: Vec<u32>, recall: &Recall) -> Vec<Loss> {
    let first = recall.departed.len() as u32;
    let loss = |former, owner, resources| Loss { former, owner, opened: None, heir: None, left: None, resources };
    let Some(owners) = recall.strangers else { return vec![loss(Former::Unknown, first, resources)] };
    let owners = (owners.max(1) as usize).min(resources.len().max(1));
    let share = |owner: usize| resources.iter().copied().skip(owner).step_by(owners).collect();
    (0..owners).map(|owner| loss(Former::Dynamic, first + owner as u32, share(owner))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::share::SituationBuilder;

    /// Six resources among three members; the first three are held by the first two.
    fn situation() -> Situation {
        let mut builder = SituationBuilder::new();
        let kind = builder.kind(6);
        (0..3).for_each(|_| _ = builder.member(vec![kind]));
        [(0, 0), (1, 1), (0, 2)].iter().for_each(|(m, r)| builder.claim(*m, *r, Some(Generation(3))));
        builder.build()
    }

    fn recall() -> Recall {
        let standing = vec![Standing::Settled, Standing::Settled, Standing::New];
        Recall { standing, departed: vec![Former::Dynamic, Former::Static], growth: Growth::None, ..Recall::default() }
    }

    fn lost(past: &Past) -> Vec<(Former, Option<Span>, &[u32])> {
        past.losses.iter().map(|l| (l.former, l.left, l.resources.as_slice())).collect()
    }

    #[test]
    fn memory_tells_lost_from_free_and_new() {
        let memory = |resource| match resource {
            3 => Remembered::Of(Whereabouts::Gone(1)),
            4 => Remembered::Free,
            _ => Remembered::New,
        };
        let past = recall().past(&situation(), Some(&memory));
        assert_eq!(lost(&past), [(Former::Static, None, &[3][..])]);
    }

    #[test]
    fn what_an_owner_that_is_here_has_not_claimed_is_its_own() {
        let memory = |_| Remembered::Of(Whereabouts::Here(2));
        let past = recall().past(&situation(), Some(&memory));
        assert_eq!((past.homes.as_slice(), past.losses.len()), (&[(3, 2), (4, 2), (5, 2)][..], 0));
    }

    #[test]
    fn without_memory_what_was_released_is_free_and_the_rest_is_lost() {
        let past = Recall { released: vec![4], ..recall() }.past(&situation(), None);
        assert_eq!(lost(&past), [(Former::Unknown, None, &[3, 5][..])]);
    }

    #[test]
    fn without_memory_each_of_a_known_number_of_owners_has_had_an_even_share() {
        let past = |strangers| Recall { strangers: Some(strangers), ..recall() }.past(&situation(), None);
        assert_eq!(lost(&past(2)), [(Former::Dynamic, None, &[3, 5][..]), (Former::Dynamic, None, &[4][..])]);
        assert_eq!(lost(&past(0)), [(Former::Dynamic, None, &[3, 4, 5][..])]);
        assert_eq!(past(9).losses.len(), 3);
        let owners: Vec<u32> = past(2).losses.iter().map(|loss| loss.owner).collect();
        assert_eq!(owners, [2, 3], "behind those that are known to be gone");
    }

    #[test]
    fn without_memory_what_lies_behind_all_claims_may_be_new() {
        let past = Recall { growth: Growth::Possible, ..recall() }.past(&situation(), None);
        assert_eq!(lost(&past), []);
    }

    #[test]
    fn without_memory_a_plan_that_somebody_missed_may_have_given_it_away() {
        let past = Recall { continuity: Continuity::Broken, ..recall() }.past(&situation(), None);
        assert_eq!(lost(&past), []);
    }

    #[test]
    fn an_echo_keeps_owner_and_time() {
        let left = Span::from_secs(7);
        let echo = |owner, resources| Echo { owner, opened: Generation(2), left, resources };
        let echoes = vec![echo(Whereabouts::Gone(0), vec![2, 3]), echo(Whereabouts::Here(1), vec![5])];
        let past = Recall { echoes, released: vec![4], ..recall() }.past(&situation(), None);
        assert_eq!(lost(&past), [(Former::Dynamic, Some(left), &[3][..])]);
        assert_eq!(past.homes, [(5, 1)]);
    }

    #[test]
    fn a_group_without_a_past_has_lost_nothing() {
        let standing = vec![Standing::New; 3];
        assert_eq!(Recall { standing, ..recall() }.past(&situation(), None).losses, []);
    }
}
