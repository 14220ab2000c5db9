/// `1234567` as `1,234,567`.
pub(super) fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let negative = value < 0.0 && digits != "0";
    if negative { format!("\u{2212}{text}") } else { text }
}

/// Three significant digits with a unit prefix: `1234567` as `1.23 M`.
pub(super) fn short(value: f64) -> String {
    let (scaled, prefix) = match value.abs() {
        size if size >= 999_500_000.0 => (value / 1e9, " G"),
        size if size >= 999_500.0 => (value / 1e6, " M"),
        size if size >= 9_995.0 => (value / 1e3, " k"),
        _ => return grouped(value),
    };
    let decimals = match scaled.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{scaled:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{prefix}").replace('-', "\u{2212}")
}

/// A share as a percentage: `0.1234` as `12 %`, `0.0123` as `1.2 %`.
pub(super) fn percent(share: f64) -> String {
    let hundredths = share * 100.0;
    let decimals = if hundredths.abs() < 9.95 { 1 } else { 0 };
    let text = format!("{hundredths:.decimals$}").replace('-', "\u{2212}");
    let text = if text == "\u{2212}0.0" { "0.0" } else { &text };
    format!("{text} %")
}

/// A share with its sign: `+1.2 %`.
pub(super) fn signed_percent(share: f64) -> String {
    let text = percent(share);
    if text.starts_with('\u{2212}') || text == "0.0 %" { text } else { format!("+{text}") }
}

/// Milliseconds as `850 ms`, `12 s` or `3 min 20 s`.
pub(super) fn span(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..120_000 if ms.is_multiple_of(1000) || ms >= 20_000 => format!("{} s", ms / 1000),
        1000..120_000 => format!("{:.1} s", ms as f64 / 1000.0),
        _ if (ms / 1000).is_multiple_of(60) => format!("{} min", ms / 60_000),
        _ => format!("{} min {} s", ms / 60_000, ms / 1000 % 60),
    }
}

/// Bytes as `1.5 GiB`.
pub(super) fn bytes(value: u64) -> String {
    let value = value as f64;
    match value {
        v if v >= 1024.0 * 1024.0 * 1024.0 => format!("{:.1} GiB", v / 1024_f64.powi(3)),
        v if v >= 1024.0 * 1024.0 => format!("{:.1} MiB", v / 1024_f64.powi(2)),
        v => format!("{:.0} KiB", v / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(grouped(-999.6), "\u{2212}1,000");
        assert_eq!(grouped(-0.2), "0");
        assert_eq!(short(512.0), "512");
        assert_eq!(short(46_200.0), "46.2 k");
        assert_eq!(short(100_000.0), "100 k");
        assert_eq!(short(1_230_000.0), "1.23 M");
        assert_eq!(percent(0.1234), "12 %");
        assert_eq!(signed_percent(0.0123), "+1.2 %");
        assert_eq!(signed_percent(-0.0001), "0.0 %");
        assert_eq!(span(4000), "4 s");
        assert_eq!(span(300_000), "5 min");
        assert_eq!(span(200_000), "3 min 20 s");
        assert_eq!(bytes(3 << 29), "1.5 GiB");
    }
}
