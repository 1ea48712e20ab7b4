"""Stand-ins with other libraries' signatures."""
