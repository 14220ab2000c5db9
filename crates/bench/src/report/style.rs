//! Style sheets of pages and pictures, for everything here that draws one.

/// A page's style sheet: light and dark by the reader's setting, no fonts or files from elsewhere.
pub const SHEET: &str = concat!(include_str!("chart.css"), include_str!("style.css"));
/// The same for a picture by itself.
pub const PICTURE: &str = concat!(include_str!("chart.css"), include_str!("picture.css"));
