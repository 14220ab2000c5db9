//! Incremental cooperative rebalancing: group membership and the sharing out of any resource, as pure state machines.
//!
//! Read [`coordinator::Group`] and [`member::Member`] first: the two sides of a group, each by the contract
//! `handle(now, Input)`, `poll() -> Option<Output>`, `deadline() -> Option<(Time, Reason)>`. What they say to each
//! other is [`protocol`]; what members say to each other through it is [`embedded`].
//!
//! A leader turns everybody's report into a [`share::Situation`], an [`assignor`] computes the target, a [`policy`]
//! turns target and held resources into a plan that moves only what must move.
//!
//! There is no clock, no network and no thread in here. A client or broker carries the messages; a simulator can carry
//! them as well, late, twice or not at all. Here they are carried by hand:
//!
//! ```
//! use std::collections::{BTreeMap, BTreeSet};
//!
//! use groma_model::Time;
//! use groma_rebalance::coordinator::{self, Client, CoordinatorConfig, Group, Token};
//! use groma_rebalance::embedded::consumer::{Consumer, Strategy};
//! use groma_rebalance::member::{self, Member, MemberConfig};
//! use groma_rebalance::protocol::Request;
//!
//! let mut group = Group::new(CoordinatorConfig::default());
//! let mut member = Member::new(MemberConfig::default(), Consumer::new(vec![Strategy::cooperative_sticky()]));
//! member.handle(Time::ZERO, member::Input::Subscribe(BTreeSet::from(["clicks".to_owned()])));
//! member.handle(Time::ZERO, member::Input::Catalog(BTreeMap::from([("clicks".to_owned(), 3)]).into()));
//! member.handle(Time::ZERO, member::Input::CoordinatorFound);
//!
//! let mut now = Time::ZERO;
//! while member.held().is_empty() {
//!     if let Some(output) = member.poll() {
//!         let member::Output::Send { id, request, .. } = output else { continue };
//!         let (token, client) = (Token(id.0), Client::default());
//!         group.handle(now, match request {
//!             Request::Join(request) => coordinator::Input::Join { token, request, client, entropy: 7 },
//!             Request::Sync(request) => coordinator::Input::Sync { token, request },
//!             Request::Heartbeat(request) => coordinator::Input::Heartbeat { token, request },
//!             Request::Leave(request) => coordinator::Input::Leave { token, request },
//!         });
//!     } else if let Some(output) = group.poll() {
//!         match output {
//!             coordinator::Output::Reply { token, reply } => {
//!                 let id = member::RequestId(token.0);
//!                 member.handle(now, member::Input::Answered { id, result: Ok(reply) });
//!             }
//!             coordinator::Output::Persist { ticket, .. } => {
//!                 group.handle(now, coordinator::Input::Persisted(ticket));
//!             }
//!             coordinator::Output::Event(_) => {}
//!         }
//!     } else if let Some((at, _)) = group.deadline() {
//!         now = at;
//!         group.handle(now, coordinator::Input::Tick);
//!     }
//! }
//! assert_eq!(member.held().len(), 3);
//! ```

mod cause;

pub mod assignor;
pub mod coordinator;
pub mod digest;
pub mod embedded;
pub mod member;
pub mod policy;
pub mod protocol;
pub mod rpc;
pub mod share;
pub mod speed;
pub mod tasks;

pub use cause::{MoveCause, RemovalCause, RoundCause};
