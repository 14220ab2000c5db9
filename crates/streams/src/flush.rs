use std::collections::BTreeSet;

use groma_client::ClientError;
use groma_dataflow::append_marker;
use groma_model::{Offset, Partition};
use groma_wire::records::BatchBuilder;

use crate::delivery::{Delivery, Settling};
use crate::lane::Share;

/// Where the running flush stands.
#[derive(Debug)]
pub(crate) enum Flush {
    /// None is running.
    Idle,
    /// Results and entries are on their way.
    Entries(Round, Settling),
    /// The markers are on their way.
    Markers(Round, Settling),
    /// The positions are being committed.
    Commit(Round, Settling),
}

/// One flush of all tasks.
#[derive(Debug)]
pub(crate) struct Round {
    /// Its number within this instance.
    pub(crate) number: u64,
    shares: Vec<Share>,
}

/// What a flush reached.
#[derive(Debug)]
pub(crate) enum Reached {
    /// Everything before the markers is acknowledged.
    EntriesAcked(Round),
    /// The markers are acknowledged: the flush counts.
    MarkersAcked(Round),
    /// The group took the positions, or refused them.
    Committed(Round, Result<(), ClientError>),
}

impl Flush {
    pub(crate) const fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// Begins to wait for what `delivery` has sent.
    pub(crate) fn entries(round: Round, delivery: &mut Delivery) -> Self {
        Self::Entries(round, delivery.settle())
    }

    /// Writes the markers of the tasks in `held`; those of tasks lost meanwhile are left out.
    pub(crate) async fn markers(
        mut round: Round,
        held: &BTreeSet<i32>,
        delivery: &mut Delivery,
    ) -> Result<Self, ClientError> {
        round.shares.retain(|share| held.contains(&share.partition));
        for share in &round.shares {
            if let Some(marker) = &share.marker {
                let mut batch = BatchBuilder::new();
                append_marker(&mut batch, marker);
                delivery.send_changelog(Partition(share.partition), batch).await?;
            }
        }
        Ok(Self::Markers(round, delivery.settle_changelog()))
    }

    /// Waits for the next thing reached; for ever while idle.
    pub(crate) async fn next(&mut self) -> Result<Reached, ClientError> {
        let wait = match self {
            Self::Idle => return std::future::pending().await,
            Self::Entries(_, wait) | Self::Markers(_, wait) | Self::Commit(_, wait) => wait,
        };
        let settled = wait.await.unwrap_or(Err(ClientError::Closed));
        match std::mem::replace(self, Self::Idle) {
            Self::Entries(round, _) => settled.map(|()| Reached::EntriesAcked(round)),
            Self::Markers(round, _) => settled.map(|()| Reached::MarkersAcked(round)),
            Self::Commit(round, _) => Ok(Reached::Committed(round, settled)),
            Self::Idle => std::future::pending().await,
        }
    }
}

impl Round {
    pub(crate) const fn new(number: u64, shares: Vec<Share>) -> Self {
        Self { number, shares }
    }

    /// The positions to commit.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (i32, Offset)> {
        self.shares.iter().filter_map(|share| Some((share.partition, share.position?)))
    }
}
