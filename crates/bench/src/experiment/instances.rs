use std::ffi::OsString;
use std::time::{Duration, Instant};

use super::bed::Bed;
use super::names::Names;
use crate::BenchError;
use crate::child::{Child, Ready, SYNTHETIC, Spawn, own_program};
use crate::definition::{Limits, Sut, SutKind, UseCase};
use crate::limits::{Cage, LimitKind, Limited, Throttle};
use crate::machine;
use crate::synthetic::SyntheticJob;

/// The instances of a cell, each in its own limits.
#[derive(Debug)]
pub(crate) struct Fleet {
    processes: Vec<Child>,
    cages: Vec<Cage>,
    limits: Limits,
}

/// What a fleet of instances runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    pub(crate) sut: &'a Sut,
    pub(crate) usecase: UseCase,
    pub(crate) limits: Limits,
    pub(crate) names: &'a Names,
}

impl Fleet {
    /// Starts so many instances, without a processor quota yet, and waits until each says that it is ready.
    pub(crate) async fn start(bed: &Bed, program: Program<'_>, count: u32) -> Result<Self, BenchError> {
        let mut fleet = Self { processes: Vec::new(), cages: Vec::new(), limits: program.limits };
        match bed.guard(fleet.begin(bed, program, count)).await {
            Ok(()) => Ok(fleet),
            Err(error) => {
                fleet.stop(bed.grace()).await;
                Err(error)
            }
        }
    }

    async fn begin(&mut self, bed: &Bed, program: Program<'_>, count: u32) -> Result<(), BenchError> {
        for index in 0..count {
            self.launch(bed, program, index)?;
        }
        if let Some(line) = program.ready() {
            for process in &mut self.processes {
                process.await_line(&line, READY).await?;
            }
        }
        self.processes.iter_mut().for_each(Child::ignore_lines);
        Ok(())
    }

    /// Holds every instance to its quota from now on.
    pub(crate) fn limit(&self) -> Result<(), BenchError> {
        self.cages.iter().try_for_each(|cage| cage.set_cpu(&self.limits))
    }

    /// How many are alive.
    pub(crate) fn alive(&mut self) -> u32 {
        let alive = self.processes.iter_mut().filter_map(|process| process.ended().is_none().then_some(()));
        u32::try_from(alive.count()).unwrap_or(u32::MAX)
    }

    /// What the instance that ended says of it.
    pub(crate) async fn death(&mut self) -> Option<BenchError> {
        for process in &mut self.processes {
            if process.ended().is_some() {
                return Some(process.death().await);
            }
        }
        None
    }

    /// Processor time and memory of all instances together.
    pub(crate) fn usage(&self) -> machine::Usage {
        let mut sum = machine::Usage::default();
        for (index, process) in self.processes.iter().enumerate() {
            let usage = machine::usage(process.id());
            let cpu_ns = self.cages.get(index).and_then(Cage::used_ns).unwrap_or(usage.cpu_ns);
            sum = sum.and(machine::Usage { cpu_ns, ..usage });
        }
        sum
    }

    /// In how many periods the quota held instances back; none where nobody counts.
    pub(crate) fn throttle(&self) -> Option<Throttle> {
        let each = self.cages.iter().map(Cage::throttle).collect::<Option<Vec<_>>>()?;
        let sum = |of: fn(&Throttle) -> u64| each.iter().map(of).sum();
        (!each.is_empty()).then(|| Throttle { periods: sum(|t| t.periods), throttled: sum(|t| t.throttled) })
    }

    /// Lifts the quota and stops every instance; those that have not ended after `grace` are killed.
    pub(crate) async fn stop(self, grace: Duration) {
        let free = Limits { cpu: None, ..self.limits };
        for cage in &self.cages {
            let _ = cage.set_cpu(&free);
        }
        self.processes.iter().for_each(Child::ask_to_end);
        let until = Instant::now() + grace;
        for process in self.processes {
            process.stop(until.saturating_duration_since(Instant::now())).await;
        }
    }

    fn launch(&mut self, bed: &Bed, program: Program<'_>, index: u32) -> Result<(), BenchError> {
        let name = format!("{}-{index}", program.names.group);
        let cage = bed.limiter.cage(&format!("instance-{index}"))?;
        match (&cage, program.limits.memory_bytes) {
            (Some(cage), _) => cage.set_memory(&program.limits)?,
            (None, None) => {}
            (None, Some(_)) => return Err(unlimited_memory()),
        }
        let spawn = Spawn {
            name,
            command: program.command(bed, index)?,
            limited: Limited {
                groups: cage.as_ref().map(Cage::paths).unwrap_or_default(),
                cores: bed.placement.instances.clone(),
            },
            logs: bed.logs.clone(),
            ready: Ready::Started,
            scratch: None,
        };
        self.processes.push(Child::launch(&spawn)?);
        self.cages.extend(cage);
        Ok(())
    }
}

impl Program<'_> {
    fn ready(&self) -> Option<String> {
        match &self.sut.kind {
            SutKind::Groma | SutKind::Synthetic { .. } => Some("ready".to_owned()),
            SutKind::Command(command) => command.ready.clone(),
        }
    }

    fn command(&self, bed: &Bed, index: u32) -> Result<Vec<OsString>, BenchError> {
        match &self.sut.kind {
            SutKind::Groma => self.own(bed),
            SutKind::Synthetic { rate } => {
                let job = SyntheticJob {
                    bootstrap: bed.bootstrap.clone(),
                    client_config: bed.client_config.clone(),
                    group: self.names.group.clone(),
                    input: self.names.input.clone(),
                    progress: bed.progress.clone(),
                    rate: *rate,
                };
                let job = serde_json::to_string(&job).map_err(|e| BenchError::Usage(e.to_string()))?;
                Ok(vec![own_program()?.into(), SYNTHETIC.into(), job.into()])
            }
            SutKind::Command(command) => {
                Ok(command.command.iter().map(|word| self.filled(bed, index, word).into()).collect())
            }
        }
    }

    fn own(&self, bed: &Bed) -> Result<Vec<OsString>, BenchError> {
        let mut words: Vec<OsString> = vec![own_program()?.into()];
        words.extend(["instance", self.usecase.name(), "--bootstrap", &bed.bootstrap].map(OsString::from));
        words.extend(["--group", &self.names.group].map(OsString::from));
        if let Some(file) = &bed.client_config {
            words.extend(["--client-config".into(), file.clone().into()]);
        }
        let mut settings = self.sut.settings.clone();
        settings.insert("input".to_owned(), self.names.input.clone());
        settings.insert("output".to_owned(), self.names.output.clone());
        settings.entry("progress".to_owned()).or_insert_with(|| bed.progress.clone());
        if let (LimitKind::OwnBudget, Some(cores)) = (bed.limiter.kind(), self.limits.cpu) {
            settings.entry("cpu".to_owned()).or_insert_with(|| cores.to_string());
        }
        for (key, value) in settings {
            words.extend(["--set".into(), format!("{key}={value}").into()]);
        }
        Ok(words)
    }

    fn filled(&self, bed: &Bed, index: u32, word: &str) -> String {
        word.replace("{bootstrap}", &bed.bootstrap)
            .replace("{group}", &self.names.group)
            .replace("{input}", &self.names.input)
            .replace("{output}", &self.names.output)
            .replace("{progress}", &bed.progress)
            .replace("{instance}", &index.to_string())
    }
}

fn unlimited_memory() -> BenchError {
    BenchError::Machine(
        "memory cannot be limited here: there are no control groups that can be written; leave out `limits: memory`"
            .to_owned(),
    )
}

const READY: Duration = Duration::from_secs(60);
