/** Help texts of the metrics, by name without the product's prefix. */
export const METRIC_HELP = {
	answers_total: 'Responses of pages and of the JSON API',
	refusals_total: 'Requests and calls that were denied for want of a right, by whom and why',
	job_steps_total: 'Steps of background jobs, and how they ended',
	upstream_up: '1 while a daemon or trading node answers',
	upstream_calls_in_flight: 'Calls on the wire',
	upstream_calls_queued: 'Calls in the queue',
	upstream_misfits: 'Responses since the start that did not match the method registry',
	index_height: 'Last indexed block of a chain',
	index_target_height: 'Tip of the chain when it was last polled',
	index_reorgs: 'Reorganizations that were undone',
	rows_differing:
		'Accounts, API tokens, links, grants, limits and controls that were changed outside of Komodeck',
	migrations: 'Migrations in a state',
	migration_oldest_seconds: 'How long the oldest migration of a state is in it; 0 without any',
	migrations_stopped: 'Migrations that stopped and require action',
	migrations_overdue: 'Migrations that are due for more than a minute and that no server polls',
	disk_free_bytes: 'Free bytes on the disk of the data folder'
} as const;

/** The exported name of a metric. */
export const metricName = (name: keyof typeof METRIC_HELP): string => `komodeck_${name}`;
