use std::collections::BTreeMap;

use crate::Seat;

/// A short name for each member, different for each: its stable identity where it has one, else its id with as little
/// of the random part as tells it from the others.
pub(crate) fn short_names(members: &BTreeMap<String, Seat>) -> BTreeMap<String, String> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for seat in members.values() {
        *taken.entry(candidate(seat, LEAST)).or_default() += 1;
    }
    let name = |seat: &Seat| {
        let short = candidate(seat, LEAST);
        if taken.get(&short) == Some(&1) { short } else { seat.member.clone() }
    };
    members.iter().map(|(member, seat)| (member.clone(), name(seat))).collect()
}

/// How many characters of the random part are shown.
const LEAST: usize = 4;

/// The client's name and the beginning of the random part; ids of other make stay whole.
fn candidate(seat: &Seat, random: usize) -> String {
    if let Some(instance) = &seat.instance {
        return instance.clone();
    }
    let id = seat.member.as_str();
    if is_base64(id) && !seat.client.is_empty() {
        return format!("{}-{}", seat.client, id.chars().take(random).collect::<String>());
    }
    let Some(at) = id.len().checked_sub(UUID) else { return id.to_owned() };
    match (id.get(..at), id.get(at..)) {
        (Some(client), Some(tail)) if is_uuid(tail) => {
            format!("{client}{}", tail.chars().take(random).collect::<String>())
        }
        _ => id.to_owned(),
    }
}

const UUID: usize = 36;
/// Letters of an id that a member of a group whose coordinator shares out made itself, as Java's do.
const BASE64_ID: usize = 22;

fn is_base64(text: &str) -> bool {
    text.len() == BASE64_ID && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_tell_members_apart() {
        let seats = [
            "c-0a1b2c3d-0000-4000-8000-000000000000",
            "c-0a1bffff-0000-4000-8000-000000000000",
            "c-ffff2c3d-0000-4000-8000-000000000000",
            "plain",
        ];
        let seats = seats.map(|member| (member.to_owned(), Seat { member: member.into(), ..Seat::default() }));
        let seats: BTreeMap<String, Seat> = seats.into();
        let names = short_names(&seats);
        let names: Vec<&str> = names.values().map(String::as_str).collect();
        let full = ["c-0a1b2c3d-0000-4000-8000-000000000000", "c-0a1bffff-0000-4000-8000-000000000000"];
        assert_eq!(names, [full[0], full[1], "c-ffff", "plain"]);
        let member = "HMqYcz2pRHm02zPOI88weg".to_owned();
        let seat = Seat { member: member.clone(), client: "orders".into(), ..Seat::default() };
        assert_eq!(short_names(&[(member.clone(), seat)].into()).get(&member).unwrap(), "orders-HMqY");
    }
}
