"""Addresses of accounts, under /accounts/."""

from django.urls import include, path

from accounts import views

urlpatterns = [
    path("", views.overview, name="account"),
    path("invitations/", views.invite, name="invitations"),
    path("invitations/<int:pk>/", views.change_invitation, name="invitation-change"),
    path("invitation/<str:token>/", views.accept, name="invitation"),
    path("email/", views.AddressView.as_view(), name="account_email"),
    path("second-factor/<int:pk>/", views.reset_factor, name="second-factor-reset"),
    path("second-factor/", include("allauth.mfa.urls")),
    path("sessions/", include("allauth.usersessions.urls")),
    path("", include("allauth.account.urls")),
]
