"""WRCP: A. Sridharan and B. Krishnamachari, *Explicit and Precise Rate Control for WSNs*, SenSys 2009."""
