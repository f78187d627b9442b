from regulations.cli import main

raise SystemExit(main())
