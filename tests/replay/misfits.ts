import { metricName } from '#lib/messages/metrics.ts';
import type { Report } from './report.ts';

const LINE = new RegExp(`^${metricName('upstream_misfits')}\\{upstream="([^"]+)"\\} (\\S+)$`, 'gm');

/**
 * Reports responses that the product could not decode strictly, and daemons for which it counts none.
 * @param metrics the product's metrics
 * @param daemons the number of daemons that it must count
 */
export function reportMismatches(metrics: string, daemons: number, report: Report): void {
	let counted = 0;
	for (const [, upstream = '', n = ''] of metrics.matchAll(LINE)) {
		counted += 1;
		report.count('daemons whose answers the product counted');
		if (n !== '0') {
			report.mismatch(
				'answers that the product met',
				`${n} of ${upstream} did not fit the registry.`
			);
		}
	}
	if (counted < daemons) {
		report.mismatch(
			'answers that the product met',
			`Its metrics count those of ${counted} of ${daemons} daemons.`
		);
	}
}
