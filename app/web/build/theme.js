(()=>{try{let{theme:t}=JSON.parse(localStorage.getItem("fubini.settings")??"{}");(t==="light"||t==="dark")&&(document.documentElement.dataset.theme=t)}catch{}})();
