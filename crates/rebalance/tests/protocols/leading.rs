use groma_model::Span;
use groma_rebalance::embedded::Shape;
use groma_rebalance::embedded::consumer::Strategy;
use groma_rebalance::embedded::custom::{Catalog, Custom, Interest};

use crate::band::Band;

fn candidate() -> Custom<String> {
    Custom::new("election", vec![Strategy::cooperative_sticky()], Shape::Full)
}

fn elected(candidates: u64) -> Band<Custom<String>> {
    let mut band = Band::new();
    for number in 1..=candidates {
        band.join(number, candidate(), (Interest::Everything, Catalog::new([]).expect("an empty catalog")));
    }
    band.wait(Span::from_secs(10));
    band
}

#[test]
fn a_group_without_resources_has_one_leader() {
    let band = elected(3);
    assert_eq!(band.leaders().len(), 1);
    assert!(band.holders().is_empty());
}

#[test]
fn another_leads_when_the_leader_is_gone() {
    let mut band = elected(3);
    for left in [2, 1] {
        let leader = band.leaders()[0];
        band.kill(leader);
        assert_eq!(band.leaders(), []);
        band.wait(Span::from_secs(60));
        assert_eq!(band.leaders().len(), 1, "of {left}");
    }
}

#[test]
fn a_leader_that_is_cut_off_ceases_before_another_begins() {
    let mut band = elected(3);
    let leader = band.leaders()[0];
    band.cut(leader);
    for _ in 0..90 {
        band.wait(Span::from_secs(1));
        assert!(band.leaders().len() <= 1, "two lead at {:?}", band.now);
    }
    assert_ne!(band.leaders(), [leader]);
    assert_eq!(band.leaders().len(), 1);
}

#[test]
fn a_leader_that_leads_on_does_not_pause() {
    let mut band = elected(2);
    let leader = band.leaders()[0];
    let before = band.member(leader).leads();
    band.join(9, candidate(), (Interest::Everything, Catalog::new([]).expect("an empty catalog")));
    for _ in 0..20 {
        assert_eq!(band.leaders(), [leader]);
        band.wait(Span::from_millis(500));
    }
    assert!(band.member(leader).leads() > before, "the generation has passed");
}
