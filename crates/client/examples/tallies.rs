//! Keeps tallies: tasks with state, which move only to workers that have built it up. Start as many workers as you
//! like, and kill any of them. `tallies BOOTSTRAP GROUP FOLDER NAME TASKS [SESSION_MS]`.
//!
//! A task counts, and writes each number to `FOLDER/task-N.log`, which stands for a changelog topic: all workers can
//! read it. Its state is a copy of that at the worker, `FOLDER/NAME/task-N`, which is brought up to the log's end before
//! the counting goes on. Each line says what happens: `behind 20 task-1` and
//! `run task-1`, `keep task-2`, `warm task-3`, `stop task-1`, `drop task-2`.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use groma_client::{ClientConfig, Job, ResourceEvent, Role, Span, TaskGroup, TaskGroupConfig};
use tokio::time::MissedTickBehavior;

/// How many numbers a follower takes over at a time.
const PACE: usize = 50;
/// The time from one number of a task to the next.
const TICK: Duration = Duration::from_millis(5);

/// A task's log and this worker's copy of it: numbers of eight bytes.
struct Tally {
    log: PathBuf,
    copy: File,
    role: Option<Role>,
}

impl Tally {
    fn open(folder: &Path, name: &str, task: &str) -> io::Result<Self> {
        let own = folder.join(name);
        fs::create_dir_all(&own)?;
        let copy = OpenOptions::new().append(true).read(true).create(true).open(own.join(task))?;
        Ok(Self { log: folder.join(format!("{task}.log")), copy, role: None })
    }

    /// Takes over so many numbers at most that are in the log and not in the copy.
    fn follow(&mut self, most: usize) -> io::Result<()> {
        let Ok(mut log) = File::open(&self.log) else { return Ok(()) };
        log.seek(SeekFrom::Start(self.position()? * 8))?;
        let mut news = Vec::new();
        log.take(most as u64 * 8).read_to_end(&mut news)?;
        news.truncate(news.len() / 8 * 8);
        self.copy.write_all(&news)
    }

    /// Counts one further.
    fn count(&mut self) -> io::Result<()> {
        let next = self.position()?.to_be_bytes();
        let mut log = OpenOptions::new().append(true).create(true).open(&self.log)?;
        log.write_all(&next)?;
        self.copy.write_all(&next)
    }

    fn step(&mut self) -> io::Result<()> {
        match self.role {
            Some(Role::Active) => self.count(),
            Some(Role::Standby | Role::WarmUp) => self.follow(PACE),
            None => Ok(()),
        }
    }

    fn begin(&mut self, task: &str, role: Role) -> io::Result<()> {
        let behind = self.end() - self.position()?;
        match role {
            Role::Active => {
                self.follow(usize::MAX >> 3)?;
                println!("behind {behind} {task}");
                println!("run {task}");
            }
            Role::Standby => println!("keep {task}"),
            Role::WarmUp => println!("warm {task}"),
        }
        self.role = Some(role);
        Ok(())
    }

    fn position(&self) -> io::Result<u64> {
        Ok(self.copy.metadata()?.len() / 8)
    }

    fn end(&self) -> u64 {
        fs::metadata(&self.log).map_or(0, |log| log.len() / 8)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bootstrap, group, folder, name, tasks, session @ ..] = arguments.as_slice() else {
        return Err("tallies BOOTSTRAP GROUP FOLDER NAME TASKS [SESSION_MS]".into());
    };
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for number in 1..=tasks.parse::<u32>()? {
        let task = format!("task-{number}");
        let tally = Tally::open(Path::new(folder), name, &task)?;
        tallies.insert(task, tally);
    }
    let session = Span::from_millis(session.first().map_or(Ok(10_000), |text| text.parse())?);
    let mut config = TaskGroupConfig::new(group, "tallies").with_session_timeout(session);
    config.catch_up.acceptable = 500;
    config.catch_up.standbys = 1;
    for (task, tally) in &tallies {
        config.workplace.positions.insert(task.clone(), tally.position()?);
    }
    let group = TaskGroup::join(&ClientConfig::new(bootstrap), config, ends(&tallies)).await?;
    keep(group, tallies, Duration::from_nanos(session.0) / 2).await
}

/// Does what the group says, and says how far it is. After a pause in which the group may have taken its tasks away it
/// hears that first.
async fn keep(
    mut group: TaskGroup,
    mut tallies: BTreeMap<String, Tally>,
    pause: Duration,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last = Instant::now();
    loop {
        tokio::select! {
            event = group.next() => match event {
                ResourceEvent::Assigned(jobs) => {
                    for Job { task, role } in jobs {
                        tallies.get_mut(&task).ok_or("a task that nobody has named")?.begin(&task, role)?;
                    }
                }
                ResourceEvent::Revoked(jobs) | ResourceEvent::Lost(jobs) => {
                    for Job { task, role } in jobs.resources() {
                        if let Some(tally) = tallies.get_mut(task).filter(|tally| tally.role == Some(*role)) {
                            tally.role = None;
                            println!("{} {task}", if *role == Role::Active { "stop" } else { "drop" });
                        }
                    }
                    jobs.done();
                }
                ResourceEvent::Error(error) => return Err(error.into()),
                _ => {}
            },
            _ = ticks.tick() => {
                if std::mem::replace(&mut last, Instant::now()).elapsed() > pause {
                    continue;
                }
                tallies.values_mut().try_for_each(Tally::step)?;
                group.exist(ends(&tallies))?;
                group.reached(tallies.iter().map(|(task, tally)| (task.as_str(), tally.position().ok())));
            }
        }
    }
}

fn ends(tallies: &BTreeMap<String, Tally>) -> Vec<(String, Option<u64>)> {
    tallies.iter().map(|(task, tally)| (task.clone(), Some(tally.end()))).collect()
}
