use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Duration, timeout};

use crate::exit::Failure;

/// Serves the newest metrics to whoever asks over HTTP.
#[derive(Debug)]
pub(crate) struct Metrics {
    newest: watch::Sender<String>,
}

/// How long a request may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest request that is read.
const REQUEST_BYTES: usize = 8 << 10;

impl Metrics {
    /// Listens at an address until this is dropped.
    ///
    /// # Errors
    /// The address cannot be listened at.
    pub(crate) async fn listen(address: &str) -> Result<Self, Failure> {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Failure::new(format!(
                "cannot serve metrics at {address} ({error}); choose a free HOST:PORT, such as 127.0.0.1:9464"
            ))
        })?;
        eprintln!("metrics at http://{}/metrics", listener.local_addr()?);
        let (newest, seen) = watch::channel(String::new());
        tokio::spawn(serve(listener, seen));
        Ok(Self { newest })
    }

    /// From now on this is told.
    pub(crate) fn publish(&self, text: String) {
        self.newest.send_replace(text);
    }
}

/// One request at a time: whoever scrapes waits its turn, and no more than `PATIENCE`.
async fn serve(listener: TcpListener, seen: watch::Receiver<String>) {
    while seen.has_changed().is_ok() {
        if let Ok((stream, _)) = listener.accept().await {
            let text = seen.borrow().clone();
            // A scraper that goes away misses its answer, and nobody else's.
            let _ = timeout(PATIENCE, answer(stream, &text)).await;
        }
    }
}

async fn answer(mut stream: TcpStream, metrics: &str) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut piece = [0; 1024];
        let read = stream.read(&mut piece).await?;
        request.extend_from_slice(&piece[..read]);
        if read == 0 || request.len() > REQUEST_BYTES {
            return Ok(());
        }
    }
    let found = request.starts_with(b"GET /metrics ") || request.starts_with(b"GET / ");
    let (status, body) = if found { ("200 OK", metrics) } else { ("404 Not Found", "ask for /metrics\n") };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
