use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use tokio::time::timeout;

use super::generator::Job;
use super::report::{LoadReport, ShareReport};
use super::request::LoadRequest;
use super::serve::{EARLY_GRACE, START, STOP};
use crate::BenchError;
use crate::child::{Child, LOAD, Ready, Spawn, own_program};
use crate::limits::Limited;

/// As many generator processes as a load needs, connected and waiting for the start of their common schedule.
#[derive(Debug)]
pub struct Fleet {
    processes: Vec<Child>,
}

impl Fleet {
    /// Starts the processes for `request`, whose topic must exist.
    ///
    /// # Errors
    /// One does not start or cannot connect.
    pub async fn start(request: &LoadRequest, limited: &Limited, logs: &Path) -> Result<Self, BenchError> {
        let mut processes = Vec::new();
        for (index, share) in request.shares().into_iter().enumerate() {
            let job = Job {
                bootstrap: request.bootstrap.clone(),
                client_config: request.client_config.clone(),
                topic: request.topic.clone(),
                share,
            };
            let settings = serde_json::to_string(&job).map_err(|e| BenchError::Usage(e.to_string()))?;
            let command = vec![own_program()?.into_os_string(), LOAD.into(), OsString::from(settings)];
            let spawn = Spawn {
                name: format!("generator-{index}"),
                command,
                limited: limited.clone(),
                logs: logs.to_path_buf(),
                ready: Ready::Line("ready".to_owned()),
                scratch: None,
            };
            processes.push(Child::start(&spawn, CONNECT_WAIT).await?.0);
        }
        Ok(Self { processes })
    }

    /// Gives the common start, nanoseconds since the Unix epoch.
    ///
    /// # Errors
    /// A process has ended.
    pub async fn go(&mut self, start_ns: i64) -> Result<(), BenchError> {
        for process in &mut self.processes {
            process.tell(&format!("{START}{start_ns}")).await?;
        }
        Ok(())
    }

    /// The process ids.
    pub fn ids(&self) -> Vec<u32> {
        self.processes.iter().map(Child::id).collect()
    }

    /// The first process that has ended, if any.
    pub async fn failure(&mut self) -> Option<BenchError> {
        for process in &mut self.processes {
            if process.ended().is_some_and(|status| !status.success()) {
                return Some(process.death().await);
            }
        }
        None
    }

    /// Waits until all is sent; the report.
    ///
    /// # Errors
    /// A process fails.
    pub async fn report(&mut self, patience: Duration) -> Result<LoadReport, BenchError> {
        let mut reports = Vec::new();
        for process in &mut self.processes {
            let line = timeout(patience, process.next_line()).await.ok().flatten();
            match line.as_deref().map(serde_json::from_str::<ShareReport>) {
                Some(Ok(report)) => reports.push(report),
                _ => return Err(process.death().await),
            }
        }
        Ok(LoadReport::over(&reports))
    }

    /// Ends the load early; the report.
    ///
    /// # Errors
    /// A process fails.
    pub async fn stop(mut self) -> Result<LoadReport, BenchError> {
        for process in &mut self.processes {
            process.tell(STOP).await?;
        }
        let report = self.report(EARLY_GRACE).await;
        self.end().await;
        report
    }

    /// Ends the processes without a report.
    pub async fn end(self) {
        self.processes.iter().for_each(Child::ask_to_end);
        for process in self.processes {
            process.stop(Duration::from_millis(200)).await;
        }
    }
}

const CONNECT_WAIT: Duration = Duration::from_secs(20);
