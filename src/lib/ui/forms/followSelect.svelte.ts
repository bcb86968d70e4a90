/**
 * Sets a `<select>` when its value changes from outside, for example by the back button: an option that the
 * user chose no longer follows its `selected` attribute. If no option has the value, none is selected. A
 * selection made before hydration is kept. For use in an attachment.
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
