use std::collections::BTreeMap;

use crate::{Known, Seat};

/// The fewest resources that had to get another owner for the shares to come out as even as they did.
///
/// Members that ask for the same are interchangeable, so the old shares, largest first, are laid beside the new ones,
/// largest first: each member can keep the smaller of the two, and nothing keeps more. `before` holds the owners of
/// what still exists; owners are identities that survive a restart.
pub(crate) fn least(
    before: &BTreeMap<String, String>,
    after: &BTreeMap<String, String>,
    seats: &[Seat],
    identity: impl Fn(&str) -> String,
) -> Known<u64> {
    let Some(first) = seats.first() else { return Known::inferred(0, "nobody is left to move to") };
    if first.topics.is_none() {
        return Known::unknown("what members ask for cannot be read");
    }
    if seats.iter().any(|seat| seat.topics != first.topics) {
        return Known::unknown("members ask for different topics");
    }
    let staying: Vec<String> = seats.iter().map(|seat| identity(&seat.member)).collect();
    let kept = |resource: &&String| after.contains_key(*resource);
    let old = before.iter().filter(|(resource, _)| kept(resource)).map(|(_, owner)| owner.clone());
    let held = shares(&staying, old);
    let given = shares(&staying, after.values().map(|owner| identity(owner)));
    let kept: u64 = held.iter().zip(&given).map(|(held, given)| held.min(given)).sum();
    let moved = (after.len() as u64).saturating_sub(kept);
    Known::inferred(moved, "compared share by share, largest first: all members ask for the same")
}

/// How many each of these owners has, largest first.
fn shares(owners: &[String], of: impl Iterator<Item = String>) -> Vec<u64> {
    let mut counts: BTreeMap<&str, u64> = owners.iter().map(|owner| (owner.as_str(), 0)).collect();
    for owner in of {
        if let Some(count) = counts.get_mut(owner.as_str()) {
            *count += 1;
        }
    }
    let mut counts: Vec<u64> = counts.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(text: &str) -> BTreeMap<String, String> {
        let of = |share: &str| {
            let (owner, held) = share.split_once(':').unwrap_or((share, ""));
            held.chars().map(|resource| (resource.to_string(), owner.to_owned())).collect::<Vec<_>>()
        };
        text.split_whitespace().flat_map(of).collect()
    }

    fn seats(names: &str) -> Vec<Seat> {
        let seat = |name: &str| Seat { member: name.into(), topics: Some(vec!["t".into()]), ..Seat::default() };
        names.split_whitespace().map(seat).collect()
    }

    /// The least by trying every way to give out the shares.
    fn tried(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>, members: &[Seat]) -> u64 {
        let names: Vec<&str> = members.iter().map(|seat| seat.member.as_str()).collect();
        let counts = |owners: &BTreeMap<String, String>| {
            let mut counts: Vec<usize> =
                names.iter().map(|name| owners.values().filter(|owner| owner == name).count()).collect();
            counts.sort_unstable();
            counts
        };
        let goal = counts(after);
        let resources: Vec<&String> = after.keys().collect();
        let ways = names.len().pow(resources.len() as u32);
        let way = |number: usize| -> BTreeMap<String, String> {
            let digit = |(at, resource): (usize, &&String)| {
                let owner = names[number / names.len().pow(at as u32) % names.len()];
                ((*resource).clone(), owner.to_owned())
            };
            resources.iter().enumerate().map(digit).collect()
        };
        let moved = |given: &BTreeMap<String, String>| {
            given.iter().filter(|(resource, owner)| before.get(*resource) != Some(*owner)).count() as u64
        };
        (0..ways).map(way).filter(|given| counts(given) == goal).map(|given| moved(&given)).min().unwrap_or(0)
    }

    #[test]
    fn the_least_is_what_trying_everything_finds() {
        for (before, after, members) in [
            ("a:12 b:34 c:56", "a:125 b:346", "a b"),
            ("a:123456", "a:123 b:456", "a b"),
            ("a:12 b:34 c:56", "a:65 b:21 c:43", "a b c"),
            ("", "a:12 b:34", "a b"),
            ("a:1 b:2", "a:13 b:24", "a b"),
            ("a:123 b:4", "b:1234", "b"),
            ("a:1 b:2345", "a:12345 b:", "a b"),
            ("x:12 y:34", "a:1234", "a"),
        ] {
            let (old, new, seats) = (owners(before), owners(after), seats(members));
            let known = least(&old, &new, &seats, str::to_owned);
            assert_eq!(known.value, Some(tried(&old, &new, &seats)), "{before} -> {after}");
        }
    }

    #[test]
    fn unequal_wishes_are_not_guessed_at() {
        let mut members = seats("a b");
        members[1].topics = Some(vec!["u".into()]);
        assert_eq!(least(&owners("a:1"), &owners("b:1"), &members, str::to_owned).value, None);
    }
}
