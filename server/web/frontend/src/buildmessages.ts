// The texts of Build in Spanish, Korean and Russian, by the English ones.

export const buildTexts = {
  "The switches show what the new file says: on is closed. Without a choice of yours the new file is that in the editor; only lines that must change do, and all other bytes stay.": [
    "Los interruptores muestran lo que dice el archivo nuevo: encendido es cerrado. Si usted no elige nada, el archivo nuevo es el del editor; solo cambian las líneas necesarias, y todos los demás bytes se conservan.",
    "스위치는 새 파일의 내용을 보여 줍니다. 켜짐은 닫힘을 뜻합니다. 아무것도 선택하지 않으면 새 파일은 편집기의 파일과 같으며, 필요한 줄만 바뀌고 나머지 바이트는 모두 그대로입니다.",
    "Переключатели показывают, что говорит новый файл: включено — значит закрыто. Пока ничего не выбрано, новый файл совпадает с файлом в редакторе; меняются только нужные строки, все остальные байты остаются.",
  ],
  "now: %[1]s": ["ahora: %[1]s", "현재: %[1]s", "сейчас: %[1]s"],
  "then: %[1]s": ["después: %[1]s", "변경 후: %[1]s", "потом: %[1]s"],
  "%[1]d of %[2]d closed": ["%[1]d de %[2]d ⟨cerrado/cerrados⟩", "%[2]d개 중 %[1]d개 닫힘", "закрыто %[1]d из %[2]d"],
  "Open all": ["Abrir todos", "모두 열기", "Открыть всем"],
  "Open all: %[1]s": ["Abrir todos: %[1]s", "모두 열기: %[1]s", "Открыть всем: %[1]s"],
  "%[1]d ⟨robot/robots⟩": ["%[1]d ⟨robot/robots⟩", "로봇 %[1]d개", "%[1]d ⟨робот/робота/роботов⟩"],
  "Robots that the file does not name": ["Robots que el archivo no nombra", "파일에 이름이 없는 로봇", "Роботы, которых файл не называет"],
  "As in the editor": ["Como en el editor", "편집기대로", "Как в редакторе"],
  "Nothing changes: the new file is that in the editor.": ["Nada cambia: el archivo nuevo es el del editor.", "바뀌는 것이 없습니다. 새 파일은 편집기의 파일과 같습니다.", "Ничего не меняется: новый файл совпадает с файлом в редакторе."],
  "What changes, by meaning": ["Qué cambia, por su significado", "달라지는 점: 의미", "Что изменится по смыслу"],
  "What changes, by lines": ["Qué cambia, por líneas", "달라지는 점: 줄", "Что изменится по строкам"],
  "%[1]s also reads pages for search.": ["%[1]s también lee páginas para la búsqueda.", "%[1]s: 검색을 위해서도 페이지를 읽습니다.", "%[1]s читает страницы и для поиска."],
  "Opened": ["Abiertos", "연 로봇", "Открыты"],
  "Not open": ["No abrir", "열지 않기", "Не открывать"],
  "In a terminal:": ["En un terminal:", "터미널에서:", "В терминале:"],
} as const satisfies Record<string, readonly [string, string, string]>;
