use std::sync::Arc;

use bytes::Bytes;
use groma_client::{
    Admin, Assigned, ClientConfig, ClientError, Consumer, ConsumerConfig, Event, OffsetSpec, Producer, Ticket,
    TopicPartition,
};
use groma_dataflow::{ChangelogError, Restorer, Task};
use groma_model::{Generation, Offset};
use groma_wire::records::{FetchedBatch, Scratch};

use crate::{Fault, FaultPoint, InstanceError};

/// What restoring a task needs.
#[derive(Clone, Debug)]
pub(crate) struct Restoring {
    pub(crate) client: ClientConfig,
    pub(crate) producer: Arc<Producer>,
    pub(crate) changelog: TopicPartition,
    /// The generation in which the task was given to this instance.
    pub(crate) generation: Generation,
    /// The fence that was written for it.
    pub(crate) fence: Ticket,
    pub(crate) fault: Option<Arc<Fault>>,
}

/// A task that was restored, and the number of its last flush.
pub(crate) struct Restored {
    pub(crate) task: Box<dyn Task>,
    pub(crate) flushes: u64,
}

impl Restoring {
    /// Waits for the fence, then puts back every whole flush before it.
    pub(crate) async fn run(self, mut task: Box<dyn Task>) -> Result<Restored, InstanceError> {
        let mut restorer = Restorer::new(self.generation);
        let fence = self.producer.delivered(self.fence).await?.offset.unwrap_or(Offset(i64::MAX));
        Fault::pass(self.fault.as_deref(), FaultPoint::Fenced);
        if fence > Offset(0) {
            self.check_beginning().await?;
            self.read_to(fence, &mut restorer, &mut *task).await?;
        }
        let flushes = restorer.last().map_or(0, |marker| marker.id.number);
        Ok(Restored { task, flushes })
    }

    async fn check_beginning(&self) -> Result<(), InstanceError> {
        let admin = Admin::connect(&self.client).await?;
        let found = admin.list_offsets(OffsetSpec::Earliest, std::slice::from_ref(&self.changelog)).await?;
        match found.first().and_then(|listed| listed.offset) {
            Some(earliest) if earliest > Offset(0) => Err(InstanceError::ChangelogCut {
                changelog: self.changelog.topic.clone(),
                partition: self.changelog.partition.0,
                earliest,
            }),
            _ => Ok(()),
        }
    }

    async fn read_to(&self, fence: Offset, restorer: &mut Restorer, task: &mut dyn Task) -> Result<(), InstanceError> {
        let mut consumer = Consumer::<Assigned>::connect(&self.client, ConsumerConfig::default()).await?;
        consumer.assign(&[(self.changelog.clone(), Some(Offset(0)))]);
        let mut scratch = Scratch::default();
        let mut next = Offset(0);
        while next <= fence {
            match consumer.next().await {
                Event::Records(fetched) => {
                    let read = read_batches(fetched.batches, fence, &mut scratch, |batch| {
                        batch.records().try_for_each(|record| match record? {
                            record if record.offset < next || record.offset > fence => Ok(()),
                            record => restorer.read(&record, task),
                        })
                    });
                    read.map_err(|cause| self.failed(cause))?;
                    next = fetched.next;
                }
                Event::Error(error) if !is_passing(&error) => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }

    const fn failed(&self, cause: ChangelogError) -> InstanceError {
        InstanceError::Restore { partition: self.changelog.partition.0, cause }
    }
}

/// Shows every batch that begins at or before `fence`.
fn read_batches(
    mut bytes: Bytes,
    fence: Offset,
    scratch: &mut Scratch,
    mut show: impl FnMut(&FetchedBatch) -> Result<(), ChangelogError>,
) -> Result<(), ChangelogError> {
    while let Some(batch) = FetchedBatch::split_off(&mut bytes, scratch)? {
        if batch.header.base_offset <= fence {
            show(&batch)?;
        }
    }
    Ok(())
}

/// Whether the client goes on by itself after `error`.
pub(crate) const fn is_passing(error: &ClientError) -> bool {
    matches!(error, ClientError::Disconnected { .. } | ClientError::TimedOut { .. })
}
