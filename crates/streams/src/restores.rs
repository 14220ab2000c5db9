use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use groma_dataflow::ChangelogError;
use tokio::task::{AbortHandle, JoinSet};

use crate::InstanceError;
use crate::restore::Restored;

/// The tasks that are being restored, each on a task of its own.
#[derive(Default)]
pub(crate) struct Restores {
    running: JoinSet<(i32, Result<Option<Restored>, InstanceError>)>,
    handles: BTreeMap<i32, AbortHandle>,
    refused: BTreeMap<i32, u32>,
}

/// How often an owner who finds a newer one's fence asks again whether the task is still its own.
const REFUSALS: u32 = 20;
const BETWEEN_REFUSALS: Duration = Duration::from_millis(500);

impl Restores {
    pub(crate) fn begin(
        &mut self,
        partition: i32,
        restore: impl Future<Output = Result<Restored, InstanceError>> + Send + 'static,
    ) {
        self.end(partition);
        let named = async move { (partition, restore.await.map(Some)) };
        let handle = self.running.spawn(named);
        self.handles.insert(partition, handle);
    }

    /// Asks to begin `partition` again after `wait`.
    pub(crate) fn again(&mut self, partition: i32, wait: Duration) {
        self.end(partition);
        let handle = self.running.spawn(async move {
            tokio::time::sleep(wait).await;
            (partition, Ok(None))
        });
        self.handles.insert(partition, handle);
    }

    /// Ends the restoring of a partition that is no longer held.
    pub(crate) fn end(&mut self, partition: i32) {
        if let Some(handle) = self.handles.remove(&partition) {
            handle.abort();
        }
    }

    /// The next one restored, or none where it is to be begun again; waits for ever while there is none.
    pub(crate) async fn next(&mut self) -> (i32, Result<Option<Restored>, InstanceError>) {
        loop {
            let Some(joined) = self.running.join_next_with_id().await else { return std::future::pending().await };
            let Ok((id, (partition, restored))) = joined else { continue };
            if self.handles.get(&partition).is_none_or(|handle| handle.id() != id) {
                continue;
            }
            self.handles.remove(&partition);
            match restored {
                Err(InstanceError::Restore { cause: ChangelogError::Superseded { .. }, .. })
                    if self.refuse(partition) =>
                {
                    self.again(partition, BETWEEN_REFUSALS);
                }
                restored => {
                    self.refused.remove(&partition);
                    return (partition, restored);
                }
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.handles.is_empty()
    }

    pub(crate) fn partitions(&self) -> impl Iterator<Item = i32> {
        self.handles.keys().copied()
    }

    /// Counts a refusal; whether it is worth asking again.
    fn refuse(&mut self, partition: i32) -> bool {
        let refusals = self.refused.entry(partition).or_default();
        *refusals += 1;
        *refusals < REFUSALS
    }
}
