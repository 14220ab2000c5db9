//! An async Kafka client: idempotent producer, fetcher, cooperative consumer groups, admin.
//!
//! Everything here is a thin shell around `groma-session`, which decides. Each [`Producer`], [`Consumer`] and [`Admin`]
//! owns its connections; its tasks run on the tokio runtime it was made on (a current-thread runtime is enough) and end
//! when it is dropped. [`guide`] goes from one process to groups of anything, with every setting.
//!
//! ```no_run
//! # async fn demo() -> Result<(), groma_client::ClientError> {
//! use groma_client::{ClientConfig, Consumer, ConsumerConfig, Event, GroupConfig, Producer, ProducerConfig};
//! let cluster = ClientConfig::new("127.0.0.1:9092");
//! let producer = Producer::connect(&cluster, ProducerConfig::default()).await?;
//! let readings = producer.topic("readings").await?;
//! producer.send_keyed(&readings, 1_700_000_000_000, b"sensor-1", b"42").await?;
//! producer.flush().await?;
//!
//! let group = GroupConfig::new("billing");
//! let mut consumer = Consumer::subscribe(&cluster, ConsumerConfig::default(), group, &["readings"]).await?;
//! loop {
//!     match consumer.next().await {
//!         Event::Records(fetched) => {
//!             let mut records = fetched.records();
//!             while let Some(record) = records.next()? {
//!                 println!("{:?}", record.value);
//!             }
//!         }
//!         Event::Revoked(revoked) => revoked.done(),
//!         _ => {}
//!     }
//! }
//! # }
//! ```

mod admin;
mod config;
mod consumer;
mod error;
mod event;
pub mod guide;
mod producer;
mod resources;
mod shell;
mod text_file;
mod trace;

pub use admin::{
    Admin, ClusterInfo, ConfigEntry, CoordinatorInfo, GroupInfo, GroupListing, GroupMemberInfo, ListedOffset, NewTopic,
    OffsetSpec, PartitionInfo, TopicInfo,
};
pub use config::{ConfigError, DEFAULT_BOOTSTRAP, Properties};
pub use consumer::{Assigned, Consumer, Subscribed};
pub use error::ClientError;
pub use event::{Event, Fetched, FetchedRecord, FetchedRecords, Revoked, RoundStep};
pub use groma_model::{
    Generation, GroupId, InstanceId, MemberId, Offset, Partition, Span, Timestamp, TopicId, TopicPartition,
};
pub use groma_rebalance::embedded::Shape;
pub use groma_rebalance::embedded::consumer::Strategy as Sharing;
pub use groma_rebalance::embedded::tasks::{Job, Role, Workplace};
pub use groma_rebalance::policy::{Misfit, PolicyName, PolicySettings, ProtocolCap};
pub use groma_rebalance::tasks::{Balance, CatchUp};
pub use groma_rebalance::{assignor, policy};
pub use groma_session::group::{Interest, Resource};
pub use groma_session::{
    Acks, ClientSettings as ClientConfig, Commit, Compression, ConsumerSettings as ConsumerConfig, Delivery, Detail,
    GroupSettings as GroupConfig, OnAssigned, ProducerSettings as ProducerConfig, Reset,
    ResourceGroupSettings as ResourceGroupConfig, Strategy, TaskGroupSettings as TaskGroupConfig,
};
pub use groma_wire::Blame;
pub use producer::{Delivered, PartitionHandle, Producer, Progress, Ticket, TopicHandle};
pub use resources::{Handover, Membership, ResourceEvent, ResourceGroup, TaskGroup};
pub use text_file::{TextFileError, read_text_file};
pub use trace::Trace;
