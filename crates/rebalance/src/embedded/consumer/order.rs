use groma_model::{InstanceId, MemberId};

/// The order in which Kafka's assignors see members: those with a stable identity first, by that, then the others by
/// member id; by their places.
pub(in crate::embedded) fn in_order<T>(
    members: &[T],
    identity: impl Fn(&T) -> (Option<&InstanceId>, &MemberId),
) -> Vec<u32> {
    let name = |at: u32| match identity(&members[at as usize]) {
        (Some(instance), _) => instance.0.as_str(),
        (None, member) => member.0.as_str(),
    };
    let whole = |at: u32| {
        let (instance, member) = identity(&members[at as usize]);
        (instance.is_none(), instance, member)
    };
    let places = 0..members.len() as u32;
    let Some(first) = places.clone().next().map(name) else { return Vec::new() };
    let common = places.clone().fold(first.len(), |length, at| common_prefix(&first[..length], name(at)));
    let key = |at: u32| Key::new(identity(&members[at as usize]).0, &name(at).as_bytes()[common..], at);
    let mut keys = sorted(places.map(key).collect());
    for alike in keys.chunk_by_mut(Key::is_like).filter(|alike| alike.len() > 1) {
        alike.sort_unstable_by(|a, b| whole(a.place()).cmp(&whole(b.place())));
    }
    keys.into_iter().map(Key::place).collect()
}

/// What members are told apart by, mostly, as one number, which is faster to sort by than whole identities: whether
/// there is no stable identity, the head of the name, and the member's place.
#[derive(Clone, Copy)]
struct Key(u128);

impl Key {
    fn new(instance: Option<&InstanceId>, name: &[u8], place: u32) -> Self {
        Self(u128::from(instance.is_none()) << 96 | u128::from(head(name)) << 32 | u128::from(place))
    }

    const fn place(self) -> u32 {
        self.0 as u32
    }

    /// Whether only whole identities tell two members apart.
    fn is_like(&self, other: &Self) -> bool {
        self.0 >> 32 == other.0 >> 32
    }
}

/// Sorts keys that are in order of their places, byte by byte from the last one, in linear time; bytes that are the same
/// in all are passed over.
fn sorted(mut keys: Vec<Key>) -> Vec<Key> {
    let (all, any) = keys.iter().fold((u128::MAX, 0), |(all, any), key| (all & key.0, any | key.0));
    let mut spare = keys.clone();
    for shift in (32..104).step_by(8).filter(|shift| (all ^ any) >> shift & 0xff != 0) {
        let digit = |key: &Key| (key.0 >> shift & 0xff) as usize;
        let mut next = [0_u32; 256];
        keys.iter().for_each(|key| next[digit(key)] += 1);
        let mut total = 0;
        next.iter_mut().for_each(|next| total += std::mem::replace(next, total));
        for key in &keys {
            spare[next[digit(key)] as usize] = *key;
            next[digit(key)] += 1;
        }
        std::mem::swap(&mut keys, &mut spare);
    }
    keys
}

/// The first bytes as a number in the same order; what is missing counts as 0.
fn head(name: &[u8]) -> u64 {
    match name.first_chunk() {
        Some(whole) => u64::from_be_bytes(*whole),
        None => name.iter().fold(0, |head, byte| head << 8 | u64::from(*byte)) << (8 * (8 - name.len())).min(63),
    }
}

/// How many bytes are the same at the beginning of both.
fn common_prefix(a: &str, b: &str) -> usize {
    if b.as_bytes().starts_with(a.as_bytes()) {
        return a.len();
    }
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_ordered_as_by_comparing_whole_identities() {
        let names = ["", "a", "a-1", "a-10", "a-2", "a-123456789", "a-123456788", "a-12345678", "b", "ä"];
        let mut members = Vec::new();
        for (number, name) in names.into_iter().enumerate() {
            members.push((None, MemberId::from(name)));
            members.push((Some(InstanceId::from(names[number / 2])), MemberId::from(name)));
        }
        for prefix in ["", "member-with-a-long-name-"] {
            let mut renamed: Vec<(Option<InstanceId>, MemberId)> = members.clone();
            renamed.iter_mut().for_each(|m| m.1.0.insert_str(0, prefix));
            let ordered = in_order(&renamed, |(instance, member)| (instance.as_ref(), member));
            let ordered: Vec<_> = ordered.into_iter().map(|at| renamed[at as usize].clone()).collect();
            let mut expected = renamed;
            expected.sort_by_key(|(instance, member)| (instance.is_none(), instance.clone(), member.clone()));
            assert_eq!(ordered, expected);
        }
        assert!(in_order(&[], |(): &()| -> (Option<&InstanceId>, &MemberId) { unreachable!("nobody") }).is_empty());
    }
}
