use groma_model::{InstanceId, MemberId};

use super::index::is_same;

/// The order in which Kafka's assignors see members: those with a stable identity first, by that, then the others by
/// member id; by their places. Linear in members whose names differ early on.
pub(in crate::embedded) fn in_order<T>(
    members: &[T],
    identity: impl Fn(&T) -> (Option<&InstanceId>, &MemberId),
) -> Vec<u32> {
    let whole = |at: u32| {
        let (instance, member) = identity(&members[at as usize]);
        (instance.is_none(), instance, member)
    };
    let names = || members.iter().map(|member| name(identity(member)));
    let Some(first) = names().next() else { return Vec::new() };
    let common = names().fold(first.len(), |length, name| common_prefix(&first[..length], name));
    let head = |member: &T| {
        let identity = identity(member);
        u128::from(identity.0.is_none()) << u64::BITS | u128::from(head(&name(identity).as_bytes()[common..]))
    };
    let mut keys = sorted(keys(&members.iter().map(head).collect::<Vec<_>>()));
    for alike in keys.chunk_by_mut(Key::is_like).filter(|alike| alike.len() > 1) {
        alike.sort_unstable_by(|a, b| whole(a.place()).cmp(&whole(b.place())));
    }
    keys.into_iter().map(Key::place).collect()
}

fn name<'a>(identity: (Option<&'a InstanceId>, &'a MemberId)) -> &'a str {
    match identity {
        (Some(instance), _) => instance.0.as_str(),
        (None, member) => member.0.as_str(),
    }
}

/// What members are told apart by, mostly, as one number, which is faster to sort by than whole identities: the first
/// bits in which heads differ, and the member's place.
#[derive(Clone, Copy)]
struct Key(u64);

impl Key {
    const fn place(self) -> u32 {
        self.0 as u32
    }

    /// Whether only whole identities tell two members apart.
    fn is_like(&self, other: &Self) -> bool {
        self.0 >> u32::BITS == other.0 >> u32::BITS
    }
}

/// The keys of these heads, in order of their places: of each byte those bits between the first and the last one that is
/// not the same in all.
fn keys(heads: &[u128]) -> Vec<Key> {
    let (all, any) = heads.iter().fold((u128::MAX, 0), |(all, any), head| (all & head, any | head));
    let mut fields = Vec::new();
    let mut room = u32::BITS;
    for byte in (0..u128::BITS).step_by(8).rev() {
        let differs = (all ^ any) >> byte & 0xff;
        if differs > 0 {
            let (first, bits) = (differs.trailing_zeros(), differs.ilog2() + 1 - differs.trailing_zeros());
            let width = bits.min(room);
            fields.push((byte + first + bits - width, width));
            room -= width;
        }
    }
    let key = |(head, place): (&u128, u32)| {
        let packed = fields
            .iter()
            .fold(0, |packed, (shift, width)| packed << width | (head >> shift) as u64 & ((1 << width) - 1));
        Key(packed << u32::BITS | u64::from(place))
    };
    heads.iter().zip(0..).map(key).collect()
}

/// Sorts keys that are in order of their places, byte by byte from the last one, in linear time; bytes that are the same
/// in all are passed over.
fn sorted(mut keys: Vec<Key>) -> Vec<Key> {
    let any = keys.iter().fold(0, |any, key| any | key.0);
    let mut spare = keys.clone();
    for shift in (u32::BITS..u64::BITS).step_by(8).filter(|shift| any >> shift & 0xff != 0) {
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
    if b.as_bytes().split_at_checked(a.len()).is_some_and(|(head, _)| is_same(head, a.as_bytes())) {
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
        for number in 0..200_u64 {
            let tail = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            members.push((None, MemberId(format!("{:08x}-{tail:016x}", tail >> 56))));
            members.push((None, MemberId(format!("a-{}-{}-{}", number % 5, number % 3, number % 70))));
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
