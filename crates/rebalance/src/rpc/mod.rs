//! Between the typed protocol and Kafka's messages: -1, "" and null end here.
//!
//! Functions named after a request or reply read a message (`join_request`) or write one (`write_join_request`).
//! Where a version cannot express something it is left out if that is harmless, and replaced by what that version has
//! instead otherwise.

mod commit;
mod error;
mod heartbeat;
mod join;
mod leave;
mod record;
mod sync;
mod text;

pub use commit::{commit_fence, write_commit_fence};
pub use error::{error_code, group_error};
pub use heartbeat::{heartbeat_reply, heartbeat_request, write_heartbeat_reply, write_heartbeat_request};
pub use join::{join_reply, join_request, write_join_reply, write_join_request};
pub use leave::{leave_reply, leave_request, write_leave_reply, write_leave_request};
pub use record::{GROUP_METADATA_VERSION, group_metadata, write_group_metadata};
pub use sync::{sync_reply, sync_request, write_sync_reply, write_sync_request};
