//! The Theodolite benchmark: experiments from real processes, lag probes, stored cells, reports.
