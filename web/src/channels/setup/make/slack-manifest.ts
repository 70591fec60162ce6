/** What Slack asks for to make the app in one go: what it may hear and do, and that it connects from here. */
export const slackManifest = JSON.stringify(
  {
    display_information: { name: "Steward", description: "My own assistant" },
    features: {
      app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: "Steward", always_online: true },
      assistant_view: { assistant_description: "My own assistant" },
      slash_commands: [
        {
          ...{ command: "/steward", description: "An order to Steward itself", should_escape: false },
          usage_hint: "help | new | stop | …",
        },
      ],
    },
    oauth_config: {
      scopes: {
        bot: [
          ...["app_mentions:read", "assistant:write", "chat:write", "files:read", "files:write", "reactions:write"],
          ...["channels:history", "channels:read", "groups:history", "groups:read", "users:read"],
          ...["im:history", "im:read", "im:write", "mpim:history", "mpim:read", "commands"],
        ],
      },
    },
    settings: {
      event_subscriptions: {
        bot_events: [
          ...["app_mention", "message.channels", "message.groups", "message.im", "message.mpim"],
          ...["assistant_thread_started", "assistant_thread_context_changed"],
        ],
      },
      interactivity: { is_enabled: true },
      socket_mode_enabled: true,
    },
  },
  undefined,
  1,
);
