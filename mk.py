from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

U = get_user_model()
h = make_password("Quite-long-91")
if not U.objects.filter(username="enum-0").exists():
    U.objects.bulk_create(
        [U(username=f"enum-{i}", email=f"enum-{i}@example.org", password=h) for i in range(200)]
    )
print([(u.username, u.email) for u in U.objects.exclude(username__startswith="enum")])
