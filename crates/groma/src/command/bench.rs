use super::cluster::print_json;
use crate::args::{Bench, BenchPlan, BenchRun, Demo, Json, KnownAnswer, Preset};
use crate::exit::{Done, Outcome};
use crate::version::versions;
use groma_bench::{BenchError, DemoRequest, KnownAnswerRequest, RunOutcome, RunRequest, Screen};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measures UC1 and UC2 over a small grid.
pub(crate) fn demo(arguments: Demo, screen: Screen) -> Outcome {
    let Demo { out, json } = arguments;
    groma_bench::limits::enter_scope();
    show(
        groma_bench::demo(&DemoRequest { out: out.clone(), screen, versions: versions() }),
        Form::of(json),
        &out,
        Again::Anew,
    )
}

/// Measures a system of known capacity.
pub(crate) fn known_answer(arguments: KnownAnswer, screen: Screen) -> Outcome {
    let KnownAnswer { runs, out } = arguments;
    show(
        groma_bench::known_answer(&KnownAnswerRequest { out: out.clone(), runs, screen, versions: versions() }),
        Form::Tables,
        &out,
        Again::Anew,
    )
}

/// Says what this machine allows.
pub(crate) fn doctor(json: &Json) -> Outcome {
    let findings = groma_bench::doctor();
    if json.json {
        return print_json(&findings);
    }
    for finding in findings {
        println!("{finding}");
    }
    Ok(Done::Fine)
}

/// Runs, lists, plans or reports benchmarks.
pub(crate) fn run(command: Bench, screen: Screen) -> Outcome {
    match command {
        Bench::Run(arguments) => measure(arguments, screen),
        Bench::List(json) => list(&json),
        Bench::Plan(arguments) => plan(&arguments),
        Bench::Report { dir } => report(&dir),
    }
}

fn measure(arguments: BenchRun, screen: Screen) -> Outcome {
    let BenchRun { benchmark, out, resume, preset, bootstrap, client_config, json } = arguments;
    groma_bench::limits::enter_scope();
    let out = out.unwrap_or_else(|| default_folder(&benchmark));
    let request = RunRequest {
        benchmark,
        out: out.clone(),
        resume,
        preset: preset.map(Preset::requested),
        bootstrap,
        client_config,
        screen,
        versions: versions(),
    };
    show(groma_bench::run(&request), Form::of(json), &out, Again::Resumed)
}

fn list(json: &Json) -> Outcome {
    let shipped = groma_bench::list();
    if json.json {
        return print_json(&shipped);
    }
    for benchmark in shipped {
        println!("{:<12} {}", benchmark.name, benchmark.about);
    }
    Ok(Done::Fine)
}

fn plan(arguments: &BenchPlan) -> Outcome {
    let plan = groma_bench::plan(&arguments.benchmark, arguments.preset.map(Preset::requested))?;
    if arguments.json {
        return print_json(&plan);
    }
    print!("{}", plan.text);
    Ok(Done::Fine)
}

fn report(dir: &Path) -> Outcome {
    println!("{}", groma_bench::report(dir)?.display());
    Ok(Done::Fine)
}

fn show(result: Result<RunOutcome, BenchError>, form: Form, out: &Path, again: Again) -> Outcome {
    let outcome = match result {
        Ok(outcome) => outcome,
        Err(interrupted @ BenchError::Interrupted) => {
            // Nobody may be there to read it: the terminal may have been closed.
            let _ = writeln!(std::io::stderr(), "groma: {interrupted}, {}", again.after(out));
            return Ok(Done::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    if form == Form::Json {
        print_json(&outcome.json)?;
    } else {
        print!("{}", outcome.text);
        println!("report: {}", out.join("report.html").display());
    }
    Ok(if outcome.exit_code == 0 { Done::Fine } else { Done::Short })
}

/// What can be done after an interruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Again {
    Resumed,
    Anew,
}

impl Again {
    fn after(self, out: &Path) -> String {
        match self {
            Self::Resumed => "continue with --resume".to_owned(),
            Self::Anew if out.join("results.json").exists() => {
                format!("look at them with `groma bench report {}`", out.display())
            }
            Self::Anew => "start it again: none was finished".to_owned(),
        }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Tables,
    Json,
}

impl Form {
    #[expect(clippy::fn_params_excessive_bools, reason = "this is where the flag from the command line ends")]
    const fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Tables }
    }
}

fn default_folder(benchmark: &str) -> PathBuf {
    let stem = Path::new(benchmark).file_stem().map_or_else(|| benchmark.into(), |stem| stem.to_string_lossy());
    PathBuf::from(format!("groma-{stem}"))
}

impl Preset {
    fn requested(self) -> groma_bench::Preset {
        match self {
            Self::Quick => groma_bench::Preset::Quick,
            Self::Paper => groma_bench::Preset::Paper,
        }
    }
}
