/**
 * The milliseconds since the page was made, told anew while scripts run. For the top of a component.
 * @param now the moment when the page was made; the count begins again when it changes
 * @param everyMs between two looks
 */
export function passedSince(now: () => number, everyMs: number): { readonly ms: number } {
	let passed = $state(0);
	$effect(() => {
		const began = performance.now();
		passed = 0;
		void now();
		const timer = setInterval(() => (passed = performance.now() - began), everyMs);
		return () => clearInterval(timer);
	});
	return {
		get ms() {
			return passed;
		}
	};
}
