//! Elects a leader among processes, without anything to share out: `leader_only BOOTSTRAP GROUP [SESSION_MS]`.
//!
//! Whoever leads says `lead` and the number of its term, and `follow` when it no longer does. Kill it, and another
//! leads as soon as its session is over. What it does for the others belongs under the number of its term: a larger
//! one has come later.

use groma_client::{ClientConfig, ResourceEvent, ResourceGroup, ResourceGroupConfig, Span};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bootstrap, name, session @ ..] = arguments.as_slice() else {
        return Err("leader_only BOOTSTRAP GROUP [SESSION_MS]".into());
    };
    let session = Span::from_millis(session.first().map_or(Ok(10_000), |text| text.parse())?);
    let config = ResourceGroupConfig::new(name, "election").with_session_timeout(session);
    let nothing: [String; 0] = [];
    let mut group = ResourceGroup::join(&ClientConfig::new(bootstrap), config, nothing).await?;
    loop {
        match group.next().await {
            ResourceEvent::Leading(term) => println!("lead {}", term.0),
            ResourceEvent::Following => println!("follow"),
            ResourceEvent::Error(error) => return Err(error.into()),
            _ => {}
        }
    }
}
