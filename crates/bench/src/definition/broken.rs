//! Broken benchmark files, and what is said of each.

use super::read::parse;

/// `{long}` stands for a name of 61 letters.
const BROKEN: &[(&str, &str)] = &[
    ("", "the file is empty; a benchmark has at least a name, such as `name: uc2_fast`"),
    ("- a\n- b\n", "line 1: the file is a list; give keys with values, one a line"),
    ("just words\n", "line 1: the file is `just words`; give keys with values, one a line"),
    ("name: a\n---\nname: b\n", "line 3: a second document begins; leave one of the two"),
    (
        "name: [a\n",
        "line 1: `name: [a` is no YAML (unclosed bracket '['); check brackets, quotes, colons and indentation",
    ),
    (
        "name: a\nloads: [1, 2\ninstances: [1]\n",
        "line 3: `instances: [1]` is no YAML (illegal placement of ':' indicator); check brackets, quotes, colons and indentation",
    ),
    ("name: \"a\n", "line 1: `name: \"a` is no YAML (unclosed quote); check brackets, quotes, colons and indentation"),
    ("name: a\n\tkeys: 5\n", "line 2: a tab indents it; YAML takes spaces only"),
    (
        "name: a: b\n",
        "line 1: `name: a: b` is no YAML (mapping values are not allowed in this context); check brackets, quotes, colons and indentation",
    ),
    (
        "name: *unknown\n",
        "line 1: `name: *unknown` is no YAML (alias references unknown anchor); check brackets, quotes, colons and indentation",
    ),
    ("name: a\nname: b\n", "line 2: `name` is given a second time; keep one of the two"),
    (
        "usecase: uc2\n",
        "line 1: `name` is missing; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name: a\nusecase: uc2\nwarmpu: 3s\n",
        "line 3: `warmpu` is unknown; leave it out, or use one of name, about, preset, sut, usecase, dimension, loads, instances, partitions, keys, skew, limits, duration, repetitions, search, slo",
    ),
    ("name: a\ninstanses: [1]\n", "line 2: `instanses` is unknown; did you mean `instances`?"),
    ("name: a\nlimits:\n  cpus: 1\n", "line 3: `cpus` in `limits` is unknown; did you mean `cpu`?"),
    (
        "name: a\nlimits: {colour: red}\n",
        "line 2: `colour` in `limits` is unknown; leave it out, or use one of cpu, period, memory",
    ),
    (
        "name: a b\n",
        "line 1: `name` is `a b`; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name: ..\n",
        "line 1: `name` is `..`; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name: a/b\n",
        "line 1: `name` is `a/b`; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name: {long}\n",
        "line 1: `name` is `{60}...`; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name: [a]\n",
        "line 1: `name` is a list; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    (
        "name:\n",
        "line 1: `name` is nothing; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: uc2_fast`",
    ),
    ("name: a\npreset: fast\n", "line 2: `preset` is `fast`; give default, quick or paper, such as `preset: quick`"),
    ("name: a\nusecase: uc9\n", "line 2: `usecase` is `uc9`; give uc1 or uc2, such as `usecase: uc2`"),
    ("name: a\nusecase: [uc1]\n", "line 2: `usecase` is a list; give uc1 or uc2, such as `usecase: uc2`"),
    (
        "name: a\ndimension: users\n",
        "line 2: `dimension` is `users`; give message-frequency or keys, such as `dimension: message-frequency`",
    ),
    (
        "name: a\nloads: most\n",
        "line 2: `loads` is `most`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: 1000\n",
        "line 2: `loads` is `1000`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: []\n",
        "line 2: `loads` is an empty list; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [0]\n",
        "line 2: `loads` has `0`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [-5]\n",
        "line 2: `loads` has `-5`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [1.5]\n",
        "line 2: `loads` has `1.5`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [\"100\"]\n",
        "line 2: `loads` has `100`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [100, fast]\n",
        "line 2: `loads` has `fast`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [100, 200000000]\n",
        "line 2: `loads` has `200000000`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\nloads: [99999999999999999999999]\n",
        "line 2: `loads` has `99999999999999999999999`; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    ("name: a\nloads: [100, 100]\n", "line 2: `loads`: 100 is given twice; keep one of the two"),
    ("name: a\nloads:\n- 200\n- 100\n", "line 4: `loads`: 100 comes after 200; list them in rising order"),
    (
        "name: a\nloads: {from: 1}\n",
        "line 2: `loads` is keys with values; give a rising list of records per second, each a whole number from 1 to 20,000,000, or the word auto, such as `loads: [1000, 2000, 4000]`",
    ),
    (
        "name: a\ninstances: 3\n",
        "line 2: `instances` is `3`; give a rising list of numbers of instances, each a whole number from 1 to 1,000, such as `instances: [1, 2, 4]`",
    ),
    (
        "name: a\ninstances: []\n",
        "line 2: `instances` is an empty list; give a rising list of numbers of instances, each a whole number from 1 to 1,000, such as `instances: [1, 2, 4]`",
    ),
    (
        "name: a\ninstances: [0, 1]\n",
        "line 2: `instances` has `0`; give a rising list of numbers of instances, each a whole number from 1 to 1,000, such as `instances: [1, 2, 4]`",
    ),
    (
        "name: a\ninstances: [1001]\n",
        "line 2: `instances` has `1001`; give a rising list of numbers of instances, each a whole number from 1 to 1,000, such as `instances: [1, 2, 4]`",
    ),
    ("name: a\ninstances: [4, 2]\n", "line 2: `instances`: 2 comes after 4; list them in rising order"),
    ("name: a\ninstances: [2, 2]\n", "line 2: `instances`: 2 is given twice; keep one of the two"),
    (
        "name: a\ninstances: [two]\n",
        "line 2: `instances` has `two`; give a rising list of numbers of instances, each a whole number from 1 to 1,000, such as `instances: [1, 2, 4]`",
    ),
    (
        "name: a\ninstances: [13, 20]\n",
        "line 2: `instances`: 13 or more instances are too many, as each needs a partition of its own and there are 12; give fewer instances or more `partitions`",
    ),
    (
        "name: a\npartitions: 3\ninstances: [4]\n",
        "line 3: `instances`: 4 or more instances are too many, as each needs a partition of its own and there are 3; give fewer instances or more `partitions`",
    ),
    (
        "name: a\npartitions: 0\n",
        "line 2: `partitions` is `0`; give a whole number from 1 to 10,000, such as `partitions: 12`",
    ),
    (
        "name: a\npartitions: 10001\n",
        "line 2: `partitions` is `10001`; give a whole number from 1 to 10,000, such as `partitions: 12`",
    ),
    (
        "name: a\npartitions: many\n",
        "line 2: `partitions` is `many`; give a whole number from 1 to 10,000, such as `partitions: 12`",
    ),
    ("name: a\nkeys: 0\n", "line 2: `keys` is `0`; give a whole number from 1 to 1,000,000,000, such as `keys: 10000`"),
    (
        "name: a\nkeys: -1\n",
        "line 2: `keys` is `-1`; give a whole number from 1 to 1,000,000,000, such as `keys: 10000`",
    ),
    (
        "name: a\nskew: 101\n",
        "line 2: `skew` is `101`; give a whole number from 0 to 100, records of a hundred, such as `skew: 20`",
    ),
    (
        "name: a\nrepetitions: 0\n",
        "line 2: `repetitions` is `0`; give a whole number from 1 to 100, such as `repetitions: 3`",
    ),
    (
        "name: a\nrepetitions: 101\n",
        "line 2: `repetitions` is `101`; give a whole number from 1 to 100, such as `repetitions: 3`",
    ),
    (
        "name: a\nlimits: 0.05\n",
        "line 2: `limits` is `0.05`; give cpu, period or memory, such as `limits: {cpu: 0.05, period: 20ms}`",
    ),
    (
        "name: a\nlimits: {cpu: fast}\n",
        "line 2: `limits.cpu` is `fast`; give a number of cores above 0 and at most 1024, such as `cpu: 0.05`",
    ),
    (
        "name: a\nlimits: {cpu: 0}\n",
        "line 2: `limits.cpu` is `0`; give a number of cores above 0 and at most 1024, such as `cpu: 0.05`",
    ),
    (
        "name: a\nlimits: {cpu: 2000}\n",
        "line 2: `limits.cpu` is `2000`; give a number of cores above 0 and at most 1024, such as `cpu: 0.05`",
    ),
    (
        "name: a\nlimits: {cpu: .nan}\n",
        "line 2: `limits.cpu` is `.nan`; give a number of cores above 0 and at most 1024, such as `cpu: 0.05`",
    ),
    (
        "name: a\nlimits: {cpu: 0.01}\n",
        "line 2: `limits.cpu`: 0.01 core over 20 ms is less than the 1 ms that the kernel can share out; give more `cpu` or a longer `period`",
    ),
    (
        "name: a\nlimits: {period: 10ms}\n",
        "line 2: `limits.period`: 0.05 core over 10 ms is less than the 1 ms that the kernel can share out; give more `cpu` or a longer `period`",
    ),
    (
        "name: a\nlimits: {period: 2s}\n",
        "line 2: `limits.period` is `2s`; give a duration from 1ms to 1s, such as `period: 20ms`",
    ),
    (
        "name: a\nlimits: {period: 20}\n",
        "line 2: `limits.period` is `20`; give a duration from 1ms to 1s, such as `period: 20ms`",
    ),
    (
        "name: a\nlimits: {memory: 1B}\n",
        "line 2: `limits.memory` is `1B`; give a size from 16MiB to 1024GiB, such as `memory: 512MiB`",
    ),
    (
        "name: a\nlimits: {memory: 64MB}\n",
        "line 2: `limits.memory` is `64MB`; give a size from 16MiB to 1024GiB, such as `memory: 512MiB`",
    ),
    (
        "name: a\nlimits: {memory: 64MiB}\n",
        "line 2: `limits.memory`: an instance touches 64MiB at its start and needs 32MiB beside, which is more than `limits: memory` (64MiB); give more memory, or a smaller `memory.pretouch`",
    ),
    (
        "name: a\nduration: 10s\n",
        "line 2: `duration` is `10s`; give warmup, measure or looks, such as `duration: {warmup: 3s, measure: 10s}`",
    ),
    (
        "name: a\nduration: {measure: 1s}\n",
        "line 2: `duration.measure` is `1s`; give a duration from 4s (40 samples) to 24h, such as `measure: 10s`",
    ),
    (
        "name: a\nduration: {measure: 5}\n",
        "line 2: `duration.measure` is `5`; give a duration from 4s (40 samples) to 24h, such as `measure: 10s`",
    ),
    (
        "name: a\nduration: {measure: 25h}\n",
        "line 2: `duration.measure` is `25h`; give a duration from 4s (40 samples) to 24h, such as `measure: 10s`",
    ),
    (
        "name: a\nduration: {warmup: 25h}\n",
        "line 2: `duration.warmup` is `25h`; give a duration from 0s to 24h, such as `warmup: 3s`",
    ),
    (
        "name: a\nduration: {warmup: -1s}\n",
        "line 2: `duration.warmup` is `-1s`; give a duration from 0s to 24h, such as `warmup: 3s`",
    ),
    (
        "name: a\nduration: {looks: []}\n",
        "line 2: `duration.looks` is an empty list; give a rising list of durations from 4s (40 samples) to 24h, such as `looks: [4s, 6s, 8s, 10s]`",
    ),
    (
        "name: a\nduration: {looks: 4s}\n",
        "line 2: `duration.looks` is `4s`; give a rising list of durations from 4s (40 samples) to 24h, such as `looks: [4s, 6s, 8s, 10s]`",
    ),
    (
        "name: a\nduration: {looks: [1s, 4s]}\n",
        "line 2: `duration.looks` has `1s`; give a rising list of durations from 4s (40 samples) to 24h, such as `looks: [4s, 6s, 8s, 10s]`",
    ),
    (
        "name: a\nduration: {looks: [6s, 4s]}\n",
        "line 2: `duration.looks`: 4s comes after 6s; list them in rising order",
    ),
    ("name: a\nduration: {looks: [6s, 6s]}\n", "line 2: `duration.looks`: 6s is given twice; keep one of the two"),
    (
        "name: a\nduration: {measure: 8s, looks: [4s, 9s]}\n",
        "line 2: `duration.looks`: a look at 9s lies after `measure` (8s); leave it out or measure longer",
    ),
    (
        "name: a\nsearch: linear\n",
        "line 2: `search` is `linear`; give strategy or restriction, such as `search: {strategy: linear, restriction: lower-bound}`",
    ),
    (
        "name: a\nsearch: {strategy: random}\n",
        "line 2: `search.strategy` is `random`; give full, linear or binary, such as `strategy: linear`",
    ),
    (
        "name: a\nsearch: {restriction: upper-bound}\n",
        "line 2: `search.restriction` is `upper-bound`; give lower-bound or none, such as `restriction: lower-bound`",
    ),
    ("name: a\nslo: 5\n", "line 2: `slo` is `5`; give lag_trend, such as `slo: {lag_trend: {relative: 0.01}}`"),
    (
        "name: a\nslo: {}\n",
        "line 2: `slo.lag_trend` is missing; give either relative or absolute, such as `lag_trend: {relative: 0.01}`",
    ),
    (
        "name: a\nslo: {lag_trend: {}}\n",
        "line 2: `slo.lag_trend` is keys with values; give either relative or absolute, such as `lag_trend: {relative: 0.01}`",
    ),
    (
        "name: a\nslo: {lag_trend: {relative: 0.1, absolute: 5}}\n",
        "line 2: `slo.lag_trend`: `relative` and `absolute` contradict each other; keep one of the two",
    ),
    (
        "name: a\nslo: {lag_trend: {relative: 3}}\n",
        "line 2: `slo.lag_trend.relative` is `3`; give a share of the load above 0 and at most 1, such as `relative: 0.01`",
    ),
    (
        "name: a\nslo: {lag_trend: {relative: 3 %}}\n",
        "line 2: `slo.lag_trend.relative` is `3 %`; give a share of the load above 0 and at most 1, such as `relative: 0.01`",
    ),
    (
        "name: a\nslo: {lag_trend: {absolute: 0}}\n",
        "line 2: `slo.lag_trend.absolute` is `0`; give records per second above 0 and at most 1,000,000,000, such as `absolute: 2000`",
    ),
    (
        "name: a\nslo: {lag_trend: {absolute: 1e12}}\n",
        "line 2: `slo.lag_trend.absolute` is `1e12`; give records per second above 0 and at most 1,000,000,000, such as `absolute: 2000`",
    ),
    (
        "name: a\nsut: groma\n",
        "line 2: `sut` is `groma`; give an engine or a list of them, such as `sut: {engine: groma}`",
    ),
    (
        "name: a\nsut: []\n",
        "line 2: `sut` is an empty list; give an engine or a list of them, such as `sut: {engine: groma}`",
    ),
    (
        "name: a\nsut: {}\n",
        "line 2: `sut.engine` is missing; give groma, synthetic or command, such as `engine: groma`",
    ),
    (
        "name: a\nsut: {engine: spark}\n",
        "line 2: `sut.engine` is `spark`; give groma, synthetic or command, such as `engine: groma`",
    ),
    (
        "name: a\nsut: {engine: flink}\n",
        "line 2: `sut.engine`: this engine is not built in; start it with `engine: command`",
    ),
    (
        "name: a\nsut: [{engine: groma}, {engine: groma}]\n",
        "line 2: `sut`: two systems are called groma; give one of them another `name`",
    ),
    (
        "name: a\nsut: {engine: groma, name: a/b}\n",
        "line 2: `sut.name` is `a/b`; give letters, digits, `.` and `_`, the first a letter or digit, at most 60, such as `name: small_window`",
    ),
    ("name: a\nsut: {engine: groma, rate: 5}\n", "line 2: `sut.rate`: means nothing for engine groma; leave it out"),
    (
        "name: a\nsut: {engine: groma, command: [x]}\n",
        "line 2: `sut.command`: means nothing for engine groma; leave it out",
    ),
    ("name: a\nsut: {engine: groma, ready: go}\n", "line 2: `sut.ready`: means nothing for engine groma; leave it out"),
    (
        "name: a\nsut: {engine: synthetic}\n",
        "line 2: `sut.rate`: engine synthetic needs the records per second of one instance, such as `rate: 2000`",
    ),
    (
        "name: a\nsut: {engine: synthetic, rate: 0}\n",
        "line 2: `sut.rate` is `0`; give the records per second of one instance, a whole number from 1 to 20,000,000, such as `rate: 2000`",
    ),
    (
        "name: a\nsut: {engine: synthetic, rate: fast}\n",
        "line 2: `sut.rate` is `fast`; give the records per second of one instance, a whole number from 1 to 20,000,000, such as `rate: 2000`",
    ),
    (
        "name: a\nsut: {engine: synthetic, rate: 5, settings: {window: 5s}}\n",
        "line 2: `sut.settings`: means nothing for engine synthetic; leave it out",
    ),
    (
        "name: a\nsut: {engine: synthetic, rate: 5, command: [x]}\n",
        "line 2: `sut.command`: means nothing for engine synthetic; leave it out",
    ),
    (
        "name: a\nsut: {engine: command}\n",
        "line 2: `sut.command`: engine command needs a list of program and arguments, such as `command: [my-engine, \"{bootstrap}\"]`",
    ),
    (
        "name: a\nsut: {engine: command, command: []}\n",
        "line 2: `sut.command`: engine command needs a list of program and arguments, such as `command: [my-engine, \"{bootstrap}\"]`",
    ),
    (
        "name: a\nsut: {engine: command, command: run}\n",
        "line 2: `sut.command` is `run`; give a list of program and arguments, such as `command: [my-engine, \"{bootstrap}\"]`",
    ),
    (
        "name: a\nsut: {engine: command, command: [run], rate: 5}\n",
        "line 2: `sut.rate`: means nothing for engine command; leave it out",
    ),
    (
        "name: a\nsut: {engine: command, command: [run], settings: {a: b}}\n",
        "line 2: `sut.settings`: means nothing for engine command; leave it out",
    ),
    (
        "name: a\nsut:\n- engine: command\n  command: [run]\n  ready: ''\n",
        "line 5: `sut.ready` is ``; give the line by which an instance says that it is ready, such as `ready: started`",
    ),
    (
        "name: a\nsut: {engine: groma, settings: [window]}\n",
        "line 2: `sut.settings` is a list; give settings of an instance by their names, such as `settings: {window: 5s}`",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {window: [5s]}}\n",
        "line 2: `sut.settings.window` is a list; give a word or a number, such as `window: 5s`",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {windw: 5s}}\n",
        "line 2: `sut.settings.windw`: unknown setting `windw`; did you mean window?",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {window: 0s}}\n",
        "line 2: `sut.settings.window`: setting `window=0s`: must be from 1ms to 366d",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {window: 5}}\n",
        "line 2: `sut.settings.window`: setting `window=5`: a duration has a unit, such as 500ms, 5s, 1m or 1h",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {window: 99999999d}}\n",
        "line 2: `sut.settings.window`: setting `window=99999999d`: must be from 1ms to 366d",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {commit: 0s}}\n",
        "line 2: `sut.settings.commit`: setting `commit=0s`: must be from 1ms to 1d",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {commit: 1h}}\n",
        "line 2: `sut.settings.commit`: 1h is longer than the 4m that are measured, so no commit would be; give a shorter `commit` or a longer `duration: measure`",
    ),
    (
        "name: a\nsut:\n  engine: groma\n  settings:\n    rebalance.policy: fair\n",
        "line 5: `sut.settings.rebalance.policy`: setting `rebalance.policy=fair`: use eager, two-round, deferred, incremental, deferred+incremental",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {rebalance.max-delay: 48h}}\n",
        "line 2: `sut.settings.rebalance.max-delay`: setting `rebalance.max-delay=48h`: must be at most 1d",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {rebalance.max-delay: 1m}}\n",
        "line 2: `sut.settings`: setting `rebalance.max-delay=60000ms`: rebalance.policy two-round does not use it; choose deferred or deferred+incremental, or leave it out",
    ),
    (
        "name: a\nsut:\n  engine: groma\n  settings:\n    rebalance.policy: deferred\n    rebalance.moves-per-round: 3\n",
        "line 4: `sut.settings`: setting `rebalance.moves-per-round=3`: rebalance.policy deferred does not use it; choose incremental or deferred+incremental, or leave it out",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {emit: sometimes}}\n",
        "line 2: `sut.settings.emit`: setting `emit=sometimes`: unknown emission `sometimes`: use updates or final",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {threads: 0}}\n",
        "line 2: `sut.settings.threads`: setting `threads=0`: this version runs one thread an instance; start more instances",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {threads: 2}}\n",
        "line 2: `sut.settings.threads`: setting `threads=2`: this version runs one thread an instance; start more instances",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {cpu: 2}}\n",
        "line 2: `sut.settings.cpu`: setting `cpu=2`: must be above 0 and at most 1 core",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {compression: zip}}\n",
        "line 2: `sut.settings.compression`: setting `compression=zip`: unknown compression `zip`: use none, gzip, snappy, lz4 or zstd",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {input: mine}}\n",
        "line 2: `sut.settings.input`: the benchmark sets this itself for each cell; leave it out",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {session.timeout: 300ms}}\n",
        "line 2: `sut.settings`: setting `heartbeat.interval=300ms`: must be shorter than session.timeout (300ms)",
    ),
    (
        "name: a\nsut: {engine: groma, settings: {memory.pretouch: 100GiB}}\n",
        "line 2: `sut.settings.memory.pretouch`: setting `memory.pretouch=100GiB`: must be at most 64GiB",
    ),
];

#[test]
fn every_broken_file_is_one_sentence_with_line_key_value_and_mend() {
    let mut wrong = Vec::new();
    for (text, sentence) in BROKEN {
        let text = text.replace("{long}", &"x".repeat(61));
        let said = parse(&text, None).err().unwrap_or_else(|| "accepted".to_owned());
        let said = said.replace(&"x".repeat(60), "{60}");
        if said != *sentence {
            wrong.push(format!("({text:?}, {said:?})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
