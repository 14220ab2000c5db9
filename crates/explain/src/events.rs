//! What our own coordinator and members say, as facts.

use std::collections::BTreeMap;

use groma_model::MemberId;
use groma_rebalance::RoundCause;
use groma_rebalance::coordinator;
use groma_rebalance::member;
use groma_rebalance::rpc::group_metadata;
use groma_wire::messages::{GroupMetadataValue, OffsetCommitValue};
use groma_wire::{Data, OffsetsKey};

use crate::{Fact, PlannedMove, Remark, Source, TopicNames, What, reconcile, record};

/// A fact without its time: the member it is about, and what.
pub type Said = (Option<String>, What);

/// What a coordinator's event says; nothing for events that others say better.
pub fn of_coordinator(event: &coordinator::Event) -> Option<Said> {
    use coordinator::Event;
    Some(match event {
        Event::RoundOpened { after, cause } => {
            (subject(cause), What::RoundOpened { after: after.0, cause: cause.into() })
        }
        Event::RoundAlso(cause) => (subject(cause), What::RoundAlso { cause: cause.into() }),
        Event::Joined { member, reason } => (Some(member.0.clone()), What::Joined { reason: reason.clone() }),
        Event::RoundClosed { generation, leader, members } => {
            let (generation, leader) = (generation.0, leader.0.clone());
            (None, What::RoundClosed { generation, leader, members: *members })
        }
        Event::Synced(member) => (Some(member.0.clone()), What::Synced),
        Event::Stable(generation) => (None, What::RoundStable { generation: generation.0 }),
        Event::Emptied(generation) => (None, What::Emptied { generation: generation.0 }),
        Event::Admitted(_) => return None,
        Event::Removed { member, cause } => (Some(member.0.clone()), What::Removed { cause: (*cause).into() }),
        Event::Replaced { old, new } => (Some(old.0.clone()), What::Replaced { by: new.0.clone() }),
    })
}

/// What a member's event says; nothing for events that do not matter to a timeline.
pub fn of_member<R: ToString>(event: &member::Event<R>) -> Vec<What> {
    of_member_named(event, R::to_string)
}

/// The same of resources that `name` names.
pub fn of_member_named<R>(event: &member::Event<R>, name: impl Fn(&R) -> String) -> Vec<What> {
    use member::Event;
    if let Event::Waits(waits) = event {
        return waits.iter().map(|wait| What::Remarked(Remark::of_wait(wait, &name))).collect();
    }
    one_of_member(event, &name).into_iter().collect()
}

fn one_of_member<R>(event: &member::Event<R>, name: &impl Fn(&R) -> String) -> Option<What> {
    use member::Event;
    Some(match event {
        Event::Joining(cause) => What::Joining { cause: cause.sentence().to_owned() },
        Event::Joined { generation, leader, .. } => {
            What::Entered { generation: generation.0, leader: leader.0.clone() }
        }
        Event::Planned { generation, moves, moved } => What::Planned {
            generation: generation.0,
            moved: *moved,
            moves: moves.iter().map(|one| planned(one, name)).collect(),
        },
        Event::Stable(generation) => What::Settled { generation: generation.0 },
        Event::Policy(used) => What::Remarked(Remark::of_policy(used)?),
        Event::Offence(offence) => What::Remarked(Remark::of_offence(offence, name)),
        Event::BrokenReport(from) => What::Remarked(Remark::BrokenReport { from: from.0.clone() }),
        Event::HeldBack(held_back) => What::Remarked(Remark::of_held_back(*held_back)),
        Event::Waits(_) | Event::Recovered(_) => return None,
    })
}

/// What a record of `__consumer_offsets`, its time, key and value, says about `group`; nothing when it is about another
/// group, of a kind that is not known here, or of a time that no clock shows. A generation also shows where its leader
/// broke the rules, and what it lets wait. Where the coordinator shares out (KIP-848) topics go by ids, for which
/// [`topics_in_record`](crate::topics_in_record) says what to look up.
pub fn of_record(group: &str, names: &TopicNames, (time_ms, key, value): (i64, &[u8], Option<&[u8]>)) -> Vec<Fact> {
    let fact = |(member, what)| Fact { time_ms, group: group.to_owned(), source: Source::Offsets, member, what };
    let said = recorded(group, names, (key, value)).unwrap_or_default();
    said.into_iter().map(fact).filter(Fact::is_dated).collect()
}

fn recorded(group: &str, names: &TopicNames, (key, value): (&[u8], Option<&[u8]>)) -> Option<Vec<Said>> {
    let about_all = |what| (None, what);
    let copy = bytes::Bytes::copy_from_slice;
    Some(match OffsetsKey::from_bytes(copy(key)).ok()? {
        OffsetsKey::GroupMetadata(key) if key.group == group => match value {
            None => vec![about_all(What::Forgotten)],
            Some(value) => {
                let metadata = group_metadata(GroupMetadataValue::from_bytes(copy(value)).ok()?).0;
                let shown = record::remarks(&metadata).into_iter().map(What::Remarked);
                std::iter::once(record::generation(metadata)).chain(shown).map(about_all).collect()
            }
        },
        OffsetsKey::OffsetCommit(key) if key.group == group => {
            let value = OffsetCommitValue::from_bytes(copy(value?)).ok()?;
            let resource = groma_model::TopicPartition::new(&key.topic, key.partition).to_string();
            vec![about_all(What::Committed { offsets: BTreeMap::from([(resource, value.offset)]) })]
        }
        key => vec![reconcile::said(group, names, key, value.map(copy))?],
    })
}

fn subject(cause: &RoundCause) -> Option<String> {
    let member = match cause {
        RoundCause::MemberJoined(member)
        | RoundCause::MemberRejoined(member)
        | RoundCause::LeaderRejoined(member)
        | RoundCause::MemberLeft(member)
        | RoundCause::SessionExpired(member)
        | RoundCause::SyncMissed(member)
        | RoundCause::InstanceReplaced { new: member, .. } => member,
        RoundCause::StorageFailed | RoundCause::Oversized => return None,
    };
    Some(member.0.clone())
}

fn planned<R>(planned: &member::Move<R>, name: impl Fn(&R) -> String) -> PlannedMove {
    let member = |member: &Option<MemberId>| member.as_ref().map(|member| member.0.clone());
    PlannedMove {
        resource: name(&planned.resource),
        from: member(&planned.from),
        to: member(&planned.to),
        cause: planned.cause.into(),
    }
}
