"""What the interop tests share: brokers, group members, producers, waiting, and the list of tests."""
