"""Checks a downloaded archive of publications: without the portal, its database or a network.

``python -m verifier FOLDER`` needs Python and the package ``cryptography``, nothing else of this project.
The portal writes and reads its manifests through ``verifier.form``, so that both mean the same bytes.
"""
