use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};

use groma_client::{Admin, ClientConfig, ClientError, Consumer, ConsumerConfig, Producer, ProducerConfig, Span};

use crate::place::{Place, everywhere, run};

/// Less patient than a handshake, and more than a connection takes on a busy machine.
fn impatient(bootstrap: &str) -> ClientConfig {
    ClientConfig { bootstrap_timeout: Span::from_secs(3), ..ClientConfig::new(bootstrap) }
}

/// A port that does `with` with every connection.
fn port(with: fn(TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    std::thread::spawn(move || listener.incoming().map_while(Result::ok).for_each(with));
    address
}

/// Where nobody listens: no port that is given out to who asks for a free one.
fn closed() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 1))
}

fn silent() -> SocketAddr {
    port(|stream| {
        std::thread::spawn(move || {
            let mut stream = stream;
            let mut bytes = [0; 64];
            while stream.read(&mut bytes).is_ok_and(|read| read > 0) {}
        });
    })
}

fn web() -> SocketAddr {
    port(|mut stream| {
        let mut asked = [0; 8];
        let _ = stream.read(&mut asked).and_then(|_| stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
    })
}

/// Longer than a name may be, so that no resolver has to be asked.
fn nameless() -> String {
    format!("{}:9092", "x".repeat(64))
}

/// Every way to connect says the same, in one line.
async fn refused(cluster: &ClientConfig, words: &[&str]) {
    let (admin, producer, consumer) = tokio::join!(
        Admin::connect(cluster),
        Producer::connect(cluster, ProducerConfig::default()),
        Consumer::connect(cluster, ConsumerConfig::default()),
    );
    for error in [admin.err(), producer.err(), consumer.err()] {
        let text = error.expect("no Kafka").to_string();
        let address = cluster.bootstrap.join(",");
        assert!(text.starts_with(&format!("no Kafka answers at {address} (")), "{text}");
        assert!(text.contains("; check the address") && !text.contains('\n'), "{text}");
        for word in words {
            assert!(text.contains(word), "{word:?} is not in {text:?}");
        }
    }
}

#[test]
fn where_nobody_can_be_the_patience_is_not_used_up() {
    run(async {
        let (free, unknown) = (closed().to_string(), nameless());
        let patient = |text: &str| ClientConfig { bootstrap_timeout: Span::from_secs(3600), ..ClientConfig::new(text) };
        refused(&patient(&free), &["refused", "that the broker runs"]).await;
        refused(&patient(&unknown), &["lookup"]).await;
        refused(&patient(&format!("{free},{unknown}")), &[&format!("{free}: "), "refused", "lookup"]).await;
        refused(&patient(&web().to_string()), &["does not speak Kafka's protocol", "without TLS"]).await;
        refused(&patient(&port(drop).to_string()), &["connected, but no answer: ", "without TLS"]).await;
    });
}

#[test]
fn a_port_that_accepts_and_says_nothing_is_given_up_by_whoever_connects() {
    run(async {
        refused(&impatient(&silent().to_string()), &["connected, but no answer within ", "without TLS"]).await;
    });
}

/// When the first answer is overdue at the very moment at which patience ends, both are to be told: one lost wake-up
/// made `Admin` wait for ever.
#[test]
fn deadlines_that_fall_together_are_all_kept() {
    run(async {
        let address = silent().to_string();
        let patience = Span::from_millis(100);
        let cluster = ClientConfig {
            bootstrap_timeout: patience,
            handshake_timeout: patience,
            request_timeout: patience,
            ..ClientConfig::new(&address)
        };
        for _ in 0..20 {
            let error = Admin::connect(&cluster).await.expect_err("silence");
            assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
        }
    });
}

#[test]
fn one_address_that_answers_is_reached_soon_whatever_the_others_do() {
    everywhere(|place: Place| async move {
        let place = &place;
        let others = format!("{},{},{},{},{}", silent(), closed(), nameless(), web(), port(drop));
        let cluster = ClientConfig {
            bootstrap_timeout: Span::from_secs(3600),
            ..ClientConfig::new(&format!("{others},{}", place.cluster.bootstrap.join(",")))
        };
        Admin::connect(&cluster).await.expect("one of them is a broker");
        Producer::connect(&cluster, ProducerConfig::default()).await.expect("one of them is a broker");
        Consumer::connect(&cluster, ConsumerConfig::default()).await.expect("one of them is a broker");
    });
}

#[test]
fn an_address_that_is_none_is_named() {
    run(async {
        for (bootstrap, expected) in [
            ("", "bootstrap.servers cannot be empty: give at least one host:port"),
            (
                "http://kafka",
                "bootstrap.servers cannot be http://kafka: an address is host:port, such as 127.0.0.1:9092",
            ),
        ] {
            let error = Admin::connect(&ClientConfig::new(bootstrap)).await.expect_err("no address");
            assert_eq!(error.to_string(), expected);
        }
    });
}
