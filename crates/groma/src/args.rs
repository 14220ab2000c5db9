//! What can be typed. One definition yields parsing, help and shell completions.

use crate::units::{self, Duration, Size};
use crate::version::VERSION;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Groma tells you how a stream processor scales, and lets it scale without stopping the world.
#[derive(Parser)]
#[command(name = "groma", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Start with:\n  groma demo                 measure UC1 and UC2 on this machine, about five minutes\n  groma broker               a Kafka endpoint on 127.0.0.1:9092"
)]
pub(crate) struct Groma {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Show no progress, only results and errors
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Measure UC1 and UC2 over a small grid on this machine and write a report
    #[command(
        after_help = "Example:\n  groma demo --out groma-demo\nwrites groma-demo/report.html and groma-demo/results.json and prints the demand tables."
    )]
    Demo(Demo),
    /// Say what this machine allows: cores, limits, ports, tools
    #[command(after_help = "Example:\n  groma doctor")]
    Doctor(Json),
    /// Run, list, plan and report benchmarks
    #[command(subcommand, after_help = "Example:\n  groma bench run uc2 --preset quick --out results-uc2")]
    Bench(Bench),
    /// Run the embedded Kafka broker in the foreground
    #[command(
        after_help = "Example:\n  groma broker --listen 127.0.0.1:9092 --data ./kafka-data --set num.partitions=12"
    )]
    Broker(Broker),
    /// List, create, describe and delete topics of any Kafka
    #[command(subcommand, after_help = "Example:\n  groma topic create input --partitions 12")]
    Topic(Topic),
    /// Generate load: sensor measurements on an open-loop schedule
    #[command(after_help = "Example:\n  groma load --rate 10000 --keys 1000 --duration 30s --bootstrap 127.0.0.1:9092")]
    Load(Load),
    /// Run one stream-engine instance
    #[command(after_help = instance_help())]
    Instance(Instance),
    /// Look at the consumer groups of any Kafka
    #[command(subcommand, after_help = "Example:\n  groma group describe sensors --bootstrap 127.0.0.1:9092")]
    Group(Group),
    /// Simulate groups in virtual time
    #[command(subcommand, after_help = "Example:\n  groma sim run --seeds 0..10000 --policy two-round")]
    Sim(crate::command::Sim),
    /// Measure each hot path on this machine, like `openssl speed`
    #[command(
        after_help = "Example:\n  groma speed step-uc2 produce\nmeasures the parts whose names begin with step-uc2 or produce."
    )]
    Speed(Speed),
    /// Measure an engine of known capacity and compare: the measuring chain's own test
    #[command(after_help = "Example:\n  groma known-answer --runs 5 --out groma-known-answer")]
    KnownAnswer(KnownAnswer),
    /// Print shell completions
    #[command(after_help = "Example:\n  groma completions bash > /etc/bash_completion.d/groma")]
    Completions { shell: clap_complete::Shell },
}

fn instance_help() -> String {
    let example = "Example:\n  groma instance uc2 --group sensors --set window=1m --set rebalance.policy=deferred";
    let file =
        "Of a client configuration the settings of the connection and of the group count; --group and --set win.";
    format!("{example}\n\n{}\n\n{file}", groma_streams::settings_help())
}

#[derive(Args)]
pub(crate) struct Json {
    /// Print one JSON document on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Where a Kafka is, and how to talk to it.
#[derive(Args, Clone)]
pub(crate) struct Cluster {
    /// A broker's address, or several with commas between; given up after 10 s where none answers; default: what the
    /// client settings say, else 127.0.0.1:9092
    #[arg(long, value_name = "HOST:PORT", value_parser = units::addresses)]
    pub(crate) bootstrap: Option<String>,
    /// Client settings by librdkafka's or Java's keys, one key=value a line
    #[arg(long, value_name = "FILE")]
    pub(crate) client_config: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Demo {
    /// Where results and the report go
    #[arg(long, value_name = "DIR", default_value = "groma-demo")]
    pub(crate) out: PathBuf,
    /// Print results.json on stdout instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct KnownAnswer {
    /// How many times over
    #[arg(long, default_value_t = 5, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=1000))]
    pub(crate) runs: u32,
    /// Where results go
    #[arg(long, value_name = "DIR", default_value = "groma-known-answer")]
    pub(crate) out: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Run one benchmark
    #[command(after_help = "Example:\n  groma bench run uc2 --preset quick --out results-uc2")]
    Run(BenchRun),
    /// List the shipped benchmarks
    #[command(after_help = "Example:\n  groma bench list")]
    List(Json),
    /// Say what a run will measure and how long it takes
    #[command(after_help = "Example:\n  groma bench plan uc2 --preset paper")]
    Plan(BenchPlan),
    /// Write report.html again from stored results
    #[command(after_help = "Example:\n  groma bench report groma-demo")]
    Report {
        /// A folder that a run wrote
        dir: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct BenchRun {
    /// A shipped benchmark's name or a YAML file
    pub(crate) benchmark: String,
    /// Where results go; default: `groma-NAME`
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Keep the cells that are already stored and measure the rest
    #[arg(long)]
    pub(crate) resume: bool,
    /// Times and thresholds where the file says none
    #[arg(long)]
    pub(crate) preset: Option<Preset>,
    /// Measure against this Kafka instead of starting the embedded broker
    #[arg(long, value_name = "HOST:PORT", value_parser = units::addresses)]
    pub(crate) bootstrap: Option<String>,
    /// Client settings by librdkafka's or Java's keys, one key=value a line
    #[arg(long, value_name = "FILE", requires = "bootstrap")]
    pub(crate) client_config: Option<PathBuf>,
    /// Print results.json on stdout instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct BenchPlan {
    /// A shipped benchmark's name or a YAML file
    pub(crate) benchmark: String,
    /// Times and thresholds where the file says none
    #[arg(long)]
    pub(crate) preset: Option<Preset>,
    /// Print one JSON document on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Sets of durations and thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// The demo's: about 12 s a cell
    Quick,
    /// The Theodolite paper's: 60 s + 240 s a cell, 2,000 records/s
    Paper,
}

#[derive(Args)]
pub(crate) struct Broker {
    /// Where to listen; port 0 picks a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:9092")]
    pub(crate) listen: String,
    /// The address that clients are told; default: where it listens
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) advertise: Option<String>,
    /// Where logs are kept; default: a temporary folder that goes with the process
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// How much disk the logs may take; at the cap, produce requests are refused
    #[arg(long, value_name = "SIZE", value_parser = units::room)]
    pub(crate) max_bytes: Option<Size>,
    /// A Kafka broker setting, such as num.partitions=12
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = units::setting)]
    pub(crate) settings: Vec<(String, String)>,
}

#[derive(Subcommand)]
pub(crate) enum Topic {
    /// List topics
    #[command(after_help = "Example:\n  groma topic list --bootstrap 127.0.0.1:9092")]
    List {
        #[command(flatten)]
        cluster: Cluster,
        #[command(flatten)]
        json: Json,
    },
    /// Create a topic
    #[command(after_help = "Example:\n  groma topic create input --partitions 12 --set retention.ms=-1")]
    Create {
        /// The topic's name
        #[arg(value_parser = units::topic)]
        name: String,
        /// How many partitions
        #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u32>(text, 1..=1 << 30))]
        partitions: u32,
        /// How many replicas
        #[arg(long, default_value_t = 1, allow_negative_numbers = true, value_parser = |text: &str| units::whole::<u16>(text, 1..=1 << 14))]
        replicas: u16,
        /// A topic setting, such as retention.ms=-1
        #[arg(long = "set", value_name = "KEY=VALUE", value_parser = units::setting)]
        settings: Vec<(String, String)>,
        #[command(flatten)]
        cluster: Cluster,
    },
    /// Show a topic's partitions and offsets
    #[command(after_help = "Example:\n  groma topic describe input")]
    Describe {
        /// The topic's name
        #[arg(value_parser = units::topic)]
        name: String,
        #[command(flatten)]
        cluster: Cluster,
        #[command(flatten)]
        json: Json,
    },
    /// Delete a topic and its records
    #[command(after_help = "Example:\n  groma topic delete input")]
    Delete {
        /// The topic's name
        #[arg(value_parser = units::topic)]
        name: String,
        #[command(flatten)]
        cluster: Cluster,
    },
}

#[derive(Args)]
pub(crate) struct Load {
    /// A file with these settings in YAML; what is typed wins
    pub(crate) file: Option<PathBuf>,
    /// Records a second over all keys
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| units::of_load::<u64>(text, "rate"))]
    pub(crate) rate: Option<u64>,
    /// How many sensors: keys s_0, s_1, ...
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| units::of_load::<u32>(text, "keys"))]
    pub(crate) keys: Option<u32>,
    /// For how long
    #[arg(long)]
    pub(crate) duration: Option<Duration>,
    /// The topic to write to
    #[arg(long, value_parser = units::topic)]
    pub(crate) topic: Option<String>,
    /// How many partitions a topic gets that does not exist yet
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| units::of_load::<u32>(text, "partitions"))]
    pub(crate) partitions: Option<u32>,
    /// So many of a hundred records go to partition 0 beside its even share; default 0: all get the same rate
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = |text: &str| units::of_load::<u32>(text, "skew"))]
    pub(crate) skew: Option<u32>,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Args)]
pub(crate) struct Instance {
    /// The use case: uc1 or uc2
    pub(crate) usecase: String,
    /// The group whose members share the tasks; default: what the client settings say, else `groma-USECASE`
    #[arg(long, value_parser = units::group)]
    pub(crate) group: Option<String>,
    /// An engine setting, such as window=1m, commit=1s or rebalance.policy=two-round; all are listed below
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = units::setting)]
    pub(crate) settings: Vec<(String, String)>,
    /// Append this instance's steps in its group to this file, for `group explain --trace`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
}

#[derive(Subcommand)]
pub(crate) enum Group {
    /// List groups
    #[command(after_help = "Example:\n  groma group list")]
    List {
        #[command(flatten)]
        cluster: Cluster,
        #[command(flatten)]
        json: Json,
    },
    /// Watch a group live: members, held resources, lag, and whom a running round waits for
    #[command(
        after_help = "Example:\n  groma group watch sensors --trace sensors.trace\nEnds with Ctrl-C. On a terminal it draws a picture, else it prints a line where something is new."
    )]
    Watch(GroupWatch),
    /// Explain each rebalance: who caused it, what moved and why, what was slow, what it cost
    #[command(
        after_help = "Example:\n  groma group explain sensors --html sensors.html\nEach line says whether it was observed, inferred or is unknown. Instances started with --trace FILE, and\n`groma group watch --trace FILE`, record what a cluster does not keep."
    )]
    Explain(GroupExplain),
    /// Show a group's members, what each holds, committed offsets and lag
    #[command(after_help = "Example:\n  groma group describe sensors")]
    Describe {
        /// The group's id
        #[arg(value_parser = units::group)]
        group: String,
        #[command(flatten)]
        cluster: Cluster,
        #[command(flatten)]
        json: Json,
    },
}

#[derive(Args)]
pub(crate) struct GroupWatch {
    /// The group's id
    #[arg(value_parser = units::group)]
    pub(crate) group: String,
    /// The time between two looks
    #[arg(long, value_name = "DURATION", default_value = "500ms", value_parser = units::pause)]
    pub(crate) interval: Duration,
    /// End after this long; default: at Ctrl-C
    #[arg(long = "for", value_name = "DURATION")]
    pub(crate) length: Option<Duration>,
    /// Append all that is seen to this file, for `explain --trace`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Serve metrics in Prometheus' format at http://HOST:PORT/metrics
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) metrics: Option<String>,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    /// Print what is seen as JSON, one fact a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct GroupExplain {
    /// The group's id
    #[arg(value_parser = units::group)]
    pub(crate) group: String,
    /// Write a page with a lane for each resource, gaps visible
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Read this recorded trace instead of a cluster; several are put together, and instances' own traces are put
    /// together with what the cluster tells
    #[arg(long = "trace", value_name = "FILE")]
    pub(crate) traces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) cluster: Cluster,
    #[command(flatten)]
    pub(crate) json: Json,
}

#[derive(Args)]
pub(crate) struct Speed {
    /// Measure only parts whose names begin with one of these
    #[arg(value_name = "PREFIX", value_parser = units::prefix)]
    pub(crate) prefixes: Vec<String>,
    #[command(flatten)]
    pub(crate) json: Json,
}
