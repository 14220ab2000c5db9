use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_client::{ClientError, Consumer, Event, Producer, Revoked, Subscribed, TopicPartition};
use groma_dataflow::append_fence;
use groma_model::{Offset, Partition};
use groma_wire::records::BatchBuilder;
use tokio::time::sleep_until;

use crate::delivery::Delivery;
use crate::fault::{Fault, FaultPoint};
use crate::flush::{Flush, Reached, Round};
use crate::instance::Summary;
use crate::lane::{Lane, Share};
use crate::pace::{Pace, Reading};
use crate::reporter::{PERIOD, Readiness, Reporter, Standing};
use crate::restore::{Restored, Restoring, is_passing};
use crate::restores::Restores;
use crate::worker::Worker;
use crate::{InstanceConfig, InstanceError, Notice, meter};

/// What an instance works with.
pub(crate) struct Tools {
    pub(crate) producer: Arc<Producer>,
    pub(crate) consumer: Consumer<Subscribed>,
    pub(crate) delivery: Delivery,
    pub(crate) reporter: Option<Reporter>,
}

/// The loop of an instance: takes what the group, the producer and the clock say, and steps the tasks in between.
pub(crate) struct Runner<N> {
    config: InstanceConfig,
    tools: Tools,
    notify: N,
    worker: Worker,
    restores: Restores,
    flush: Flush,
    /// Flushes begun.
    flushes: u64,
    /// Tasks to be given up once the flush of this number is through.
    revocations: Vec<(u64, Revoked)>,
    committed: BTreeMap<i32, Offset>,
    /// Positions of markers that are acknowledged, to be committed.
    uncommitted: BTreeMap<i32, Offset>,
    group: Standing,
    told_ready: Readiness,
    /// The last flush of which it was said that it takes long.
    told_slow: u64,
    clock: Clock,
    pace: Option<Pace>,
}

/// When the next things are due.
struct Clock {
    start: Instant,
    /// When the last flush began.
    begun: Instant,
    flush: Instant,
    report: Instant,
    /// How far the tasks have come.
    tell: Instant,
    rest: Instant,
    /// The last turn of the loop: a long gap means that the process was stopped.
    turn: Instant,
}

/// How often it is told how far the tasks have come.
const TELL: Duration = Duration::from_secs(1);
/// How soon something is tried again that cannot be done now.
const AGAIN: Duration = Duration::from_millis(100);
/// A flush that takes longer is worth a word.
const SLOW: Duration = Duration::from_secs(10);

impl<N: FnMut(Notice)> Runner<N> {
    pub(crate) fn new(config: InstanceConfig, tools: Tools, notify: N) -> Self {
        let now = Instant::now();
        let flush = now + config.commit;
        let clock = Clock { start: now, begun: now, flush, report: now, tell: now, rest: now, turn: now };
        let reading = Reading { wall: Duration::ZERO, used: meter::thread_cpu() };
        Self {
            pace: config.cpu.map(|share| Pace::new(share, reading)),
            worker: Worker::new(&config.input, tools.delivery.output_partitions()),
            config,
            tools,
            notify,
            restores: Restores::default(),
            flush: Flush::Idle,
            flushes: 0,
            revocations: Vec::new(),
            committed: BTreeMap::new(),
            uncommitted: BTreeMap::new(),
            group: Standing { generation: -1, ready: Readiness::Waiting },
            told_ready: Readiness::Waiting,
            told_slow: 0,
            clock,
        }
    }

    pub(crate) async fn run(mut self, stop: impl Future<Output = ()>) -> Result<Summary, InstanceError> {
        match self.live(stop).await {
            Ok(()) => self.finish().await,
            Err(error) => {
                let _ = self.tools.consumer.close().await;
                Err(error)
            }
        }
    }

    /// Runs until asked to stop. After an error the group is left all the same, so that nobody waits for the session.
    async fn live(&mut self, stop: impl Future<Output = ()>) -> Result<(), InstanceError> {
        let mut stop = pin!(stop);
        loop {
            let timer = self.clock.flush_due(&self.flush).min(self.clock.report);
            tokio::select! {
                biased;
                () = &mut stop => return Ok(()),
                reached = self.flush.next() => self.reached(reached?).await?,
                (partition, restored) = self.restores.next() => self.restored(partition, restored).await?,
                event = self.tools.consumer.next(), if self.worker.has_room() => self.event(event).await?,
                () = sleep_until(timer.into()) => self.tick().await?,
                () = turn(self.clock.rest), if self.worker.is_due() => self.step().await?,
            }
            self.tell_ready();
        }
    }

    async fn event(&mut self, event: Event) -> Result<(), InstanceError> {
        match event {
            Event::Records(fetched) => self.worker.push(fetched)?,
            Event::Assigned(partitions) => self.assigned(&partitions).await?,
            Event::Revoked(revoked) => self.revoked(revoked),
            Event::Lost(partitions) => self.lost(&partitions),
            Event::Step(step) => (self.notify)(Notice::Step(step)),
            Event::Rebalancing => self.group.ready = Readiness::Waiting,
            Event::Stable(generation) => {
                self.group = Standing { generation: generation.0, ready: Readiness::Ready };
                (self.notify)(Notice::Stable(generation));
            }
            Event::Error(error) if is_passing(&error) => (self.notify)(Notice::Trouble(error.to_string())),
            Event::Error(error) => return Err(error.into()),
        }
        Ok(())
    }

    async fn assigned(&mut self, partitions: &[TopicPartition]) -> Result<(), InstanceError> {
        let numbers = numbers(partitions);
        (self.notify)(Notice::Assigned(numbers.clone()));
        for partition in numbers {
            let task = self.config.use_case.task(Partition(partition), self.config.use_case_settings());
            if task.is_stateful() {
                self.restore(partition).await?;
            } else {
                self.worker.lanes.insert(partition, Lane::new(partition, task, 0));
                (self.notify)(Notice::Running { partition, position: None });
            }
        }
        Ok(())
    }

    /// Writes the task's fence and begins to restore the task.
    async fn restore(&mut self, partition: i32) -> Result<(), InstanceError> {
        let Some(generation) = self.tools.consumer.generation() else {
            self.restores.again(partition, AGAIN);
            return Ok(());
        };
        let mut fence = BatchBuilder::new();
        append_fence(&mut fence, generation);
        let ticket = self.tools.delivery.send_changelog(Partition(partition), fence).await?;
        let Some(fence) = ticket else { return Ok(()) };
        let restoring = Restoring {
            client: self.config.client.clone(),
            producer: Arc::clone(&self.tools.producer),
            changelog: TopicPartition::new(self.config.changelog(), partition),
            generation,
            fence,
            fault: self.config.fault.clone(),
        };
        let task = self.config.use_case.task(Partition(partition), self.config.use_case_settings());
        self.restores.begin(partition, restoring.run(task));
        Ok(())
    }

    async fn restored(
        &mut self,
        partition: i32,
        restored: Result<Option<Restored>, InstanceError>,
    ) -> Result<(), InstanceError> {
        let Some(Restored { task, flushes }) = restored? else { return self.restore(partition).await };
        Fault::pass(self.config.fault.as_deref(), FaultPoint::Restored);
        let input = TopicPartition::new(self.config.input.as_str(), partition);
        let position = task.position();
        if let Some(position) = position {
            match self.tools.consumer.seek(&input, position) {
                Err(ClientError::NotAssigned { .. }) => return Ok(()),
                sought => sought?,
            }
        }
        self.worker.lanes.insert(partition, Lane::new(partition, task, flushes));
        self.tools.consumer.resume(&[input]);
        (self.notify)(Notice::Running { partition, position });
        Ok(())
    }

    /// Stops the tasks; they are given up once the next flush is through.
    fn revoked(&mut self, revoked: Revoked) {
        (self.notify)(Notice::Revoking(numbers(revoked.partitions())));
        for partition in numbers(revoked.partitions()) {
            self.restores.end(partition);
            if let Some(lane) = self.worker.lanes.get_mut(&partition) {
                lane.stop();
            }
        }
        self.revocations.push((self.flushes + 1, revoked));
        self.clock.flush = Instant::now();
    }

    fn lost(&mut self, partitions: &[TopicPartition]) {
        let numbers = numbers(partitions);
        for partition in &numbers {
            self.restores.end(*partition);
            self.worker.lanes.remove(partition);
            self.committed.remove(partition);
            self.uncommitted.remove(partition);
        }
        (self.notify)(Notice::Lost(numbers));
    }

    async fn step(&mut self) -> Result<(), InstanceError> {
        self.worker.step()?;
        self.tools.delivery.send_full(&mut self.worker.out).await?;
        if self.worker.is_heavy() {
            self.clock.flush = Instant::now();
        }
        let now = Instant::now();
        let reading = Reading { wall: now - self.clock.start, used: meter::thread_cpu() };
        let ready = self.told_ready == Readiness::Ready;
        let rest = self.pace.as_mut().and_then(|pace| if ready { pace.rest(reading) } else { pace.start(reading) });
        self.clock.rest = now + rest.unwrap_or_default();
        Ok(())
    }

    async fn tick(&mut self) -> Result<(), InstanceError> {
        let now = Instant::now();
        let stalled = now.duration_since(self.clock.turn) > self.config.session_timeout;
        self.clock.turn = now;
        if now >= self.clock.report {
            self.clock.report = now + PERIOD;
            self.report()?;
            self.tell_slow(now);
            if now >= self.clock.tell {
                self.clock.tell = now + TELL;
                self.tell_reached();
            }
        }
        if self.flush.is_idle() && now >= self.clock.flush {
            if stalled && !self.is_member_still().await {
                self.clock.flush = now + AGAIN;
                return Ok(());
            }
            self.begin_flush().await?;
        }
        Ok(())
    }

    /// After the process was stopped for longer than its session: whether the group still takes its word.
    async fn is_member_still(&self) -> bool {
        let offsets = self.offsets(self.committed.iter().map(|(partition, offset)| (*partition, *offset)));
        !offsets.is_empty() && self.tools.consumer.commit(&offsets).await.is_ok()
    }

    async fn begin_flush(&mut self) -> Result<(), InstanceError> {
        let Some(generation) =
            self.tools.consumer.generation().or_else(|| self.worker.lanes.is_empty().then_some(NONE))
        else {
            self.clock.flush = Instant::now() + AGAIN;
            return Ok(());
        };
        self.clock.begun = Instant::now();
        self.clock.flush = self.clock.begun + self.config.commit;
        self.flushes += 1;
        let shares = self.worker.flush(generation);
        shares.iter().for_each(|share| self.tell_left_out(share));
        Fault::pass(self.config.fault.as_deref(), FaultPoint::BeforeEntries);
        self.tools.delivery.send_all(&mut self.worker.out).await?;
        self.flush = Flush::entries(Round::new(self.flushes, shares), &mut self.tools.delivery);
        Ok(())
    }

    async fn reached(&mut self, reached: Reached) -> Result<(), InstanceError> {
        match reached {
            Reached::EntriesAcked(round) => {
                Fault::pass(self.config.fault.as_deref(), FaultPoint::EntriesAcked);
                let held: BTreeSet<i32> = self.worker.lanes.keys().copied().collect();
                self.flush = Flush::markers(round, &held, &mut self.tools.delivery).await?;
            }
            Reached::MarkersAcked(round) => {
                Fault::pass(self.config.fault.as_deref(), FaultPoint::MarkersAcked);
                self.commit(round);
            }
            Reached::Committed(round, outcome) => self.committed(&round, outcome)?,
        }
        Ok(())
    }

    /// Commits for others to see, what was refused before included.
    fn commit(&mut self, round: Round) {
        self.uncommitted.extend(round.positions());
        self.uncommitted.retain(|partition, _| self.worker.lanes.contains_key(partition));
        let offsets = self.offsets(self.uncommitted.iter().map(|(partition, offset)| (*partition, *offset)));
        if offsets.is_empty() {
            self.give_up(round.number);
            return;
        }
        self.flush = Flush::Commit(round, tokio::spawn(self.tools.consumer.commit(&offsets)));
    }

    /// A refusal does no harm: the markers count, and the next flush commits again.
    fn committed(&mut self, round: &Round, outcome: Result<(), ClientError>) -> Result<(), InstanceError> {
        match outcome {
            Ok(()) => self.committed.append(&mut self.uncommitted),
            Err(ClientError::CommitRefused { .. } | ClientError::NotAssigned { .. }) => {}
            Err(error) if is_passing(&error) => (self.notify)(Notice::Trouble(error.to_string())),
            Err(error) => return Err(error.into()),
        }
        Fault::pass(self.config.fault.as_deref(), FaultPoint::Committed);
        self.give_up(round.number);
        Ok(())
    }

    /// Gives up the tasks that waited for flush `through`.
    fn give_up(&mut self, through: u64) {
        let waiting = std::mem::take(&mut self.revocations);
        for (number, revoked) in waiting {
            if number > through {
                self.revocations.push((number, revoked));
                continue;
            }
            let numbers = numbers(revoked.partitions());
            self.tell_reached();
            for partition in &numbers {
                self.worker.lanes.remove(partition);
                self.committed.remove(partition);
            }
            revoked.done();
            (self.notify)(Notice::Revoked(numbers));
        }
    }

    /// Flushes once more and leaves the group.
    async fn finish(mut self) -> Result<Summary, InstanceError> {
        self.worker.lanes.values_mut().for_each(Lane::stop);
        self.drain_flush().await?;
        self.begin_flush().await?;
        self.drain_flush().await?;
        let count = |of: fn(&Lane) -> u64| self.worker.lanes.values().map(of).sum();
        let summary = Summary {
            records: count(|lane| lane.task.counters().records),
            late: count(|lane| lane.task.counters().late.count),
            rejected: count(|lane| lane.task.counters().rejected()),
            flushes: self.flushes,
        };
        self.tools.consumer.close().await?;
        Ok(summary)
    }

    async fn drain_flush(&mut self) -> Result<(), InstanceError> {
        while !self.flush.is_idle() {
            let reached = self.flush.next().await?;
            self.reached(reached).await?;
        }
        Ok(())
    }

    fn report(&self) -> Result<(), InstanceError> {
        let standing = Standing { generation: self.group.generation, ready: self.readiness() };
        if let Some(reporter) = &self.tools.reporter {
            reporter.report(standing, self.restores.partitions(), self.worker.lanes.values())?;
        }
        Ok(())
    }

    fn readiness(&self) -> Readiness {
        let runs = |partition: &TopicPartition| self.worker.lanes.contains_key(&partition.partition.0);
        let all_run = self.restores.is_empty() && self.tools.consumer.assignment().iter().all(runs);
        if all_run { self.group.ready } else { Readiness::Waiting }
    }

    fn tell_ready(&mut self) {
        if self.told_ready == Readiness::Waiting && self.readiness() == Readiness::Ready {
            self.told_ready = Readiness::Ready;
            (self.notify)(Notice::Ready);
        }
    }

    /// Says once of a flush that takes long that it does.
    fn tell_slow(&mut self, now: Instant) {
        let is_slow = !self.flush.is_idle() && now.duration_since(self.clock.begun) > SLOW;
        if is_slow && self.told_slow < self.flushes {
            self.told_slow = self.flushes;
            let (bootstrap, seconds) = (self.config.client.bootstrap.join(","), SLOW.as_secs());
            (self.notify)(Notice::Trouble(format!(
                "the Kafka at {bootstrap} has not taken a flush for {seconds} s; waiting for it"
            )));
        }
    }

    fn tell_reached(&mut self) {
        let lanes = self.worker.lanes.values();
        let reached: Vec<_> = lanes.filter_map(|lane| Some((lane.partition, lane.task.position()?))).collect();
        if !reached.is_empty() {
            (self.notify)(Notice::Reached(reached));
        }
    }

    fn tell_left_out(&mut self, share: &Share) {
        let (rejected, late, last) = share.left_out;
        if rejected + late > 0 {
            (self.notify)(Notice::LeftOut { partition: share.partition, rejected, late, last });
        }
    }

    fn offsets(&self, positions: impl Iterator<Item = (i32, Offset)>) -> Vec<(TopicPartition, Offset)> {
        let input = self.config.input.as_str();
        positions.map(|(partition, offset)| (TopicPartition::new(input, partition), offset)).collect()
    }
}

impl Clock {
    /// When to flush; not before the running flush is through.
    fn flush_due(&self, flush: &Flush) -> Instant {
        if flush.is_idle() { self.flush } else { self.report }
    }
}

/// Lets everything else have its turn, and rests until `until` where that lies ahead.
async fn turn(until: Instant) {
    if until > Instant::now() {
        sleep_until(until.into()).await;
    } else {
        tokio::task::yield_now().await;
    }
}

/// The generation of an instance without tasks.
const NONE: groma_model::Generation = groma_model::Generation(-1);

fn numbers(partitions: &[TopicPartition]) -> Vec<i32> {
    partitions.iter().map(|partition| partition.partition.0).collect()
}
