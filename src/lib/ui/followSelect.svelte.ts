/**
 * Keeps a select at a value that changes by itself: with the back button, say. An option that somebody chose by hand no
 * longer hears of its `selected`. Where no option has the value none is chosen, and not the one beside it. What was
 * chosen while only the server's HTML was there stays. For an attachment.
 */
export function followSelect(select: HTMLSelectElement, value: () => string): void {
	let isFirst = true;
	$effect(() => {
		const wanted = value();
		if (!isFirst) {
			select.value = wanted;
			if (select.selectedIndex < 0) select.value = '';
		}
		isFirst = false;
	});
}
